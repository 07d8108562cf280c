package cli

import "fmt"

// suggestion is "; did you mean X?" for the known word that is nearest.
func suggestion(word string, known []string) string {
	best, nearest := len(word)/2+1, ""
	for _, k := range known {
		if d := distance(word, k); d < best {
			best, nearest = d, k
		}
	}
	if nearest == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", nearest)
}

// distance is the number of letters to add, drop or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		last := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := last
			if a[i-1] != b[j-1] {
				cost++
			}
			last = row[j]
			row[j] = min(row[j]+1, row[j-1]+1, cost)
		}
	}
	return row[len(b)]
}
