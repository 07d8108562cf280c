// Package rules is the list of everything that n8nlint checks.
package rules

import (
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/rules/claim"
	"github.com/n8nlint/n8nlint/rules/key"
	"github.com/n8nlint/n8nlint/rules/retry"
)

// All gives every rule, by family.
func All() []*lint.Rule {
	return []*lint.Rule{
		claim.UnclaimedSideEffect(),
		claim.LeakyClaim(),
		claim.CheckThenInsert(),
		claim.LateClaim(),
		claim.NonAtomicDedup(),
		claim.DedupReset(),
		claim.RetriedClaim(),
		key.MangledDedupKey(),
		retry.NonIdempotent(),
	}
}
