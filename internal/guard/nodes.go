package guard

import (
	"github.com/n8nlint/n8nlint/internal/graph"
)

// The nodes of n8n that route items, whose meaning is in this package's code.
const (
	ifNode         = "n8n-nodes-base.if"
	filterNode     = "n8n-nodes-base.filter"
	switchNode     = "n8n-nodes-base.switch"
	mergeNode      = "n8n-nodes-base.merge"
	loopNode       = "n8n-nodes-base.splitInBatches"
	setNode        = "n8n-nodes-base.set"
	dedupNode      = "n8n-nodes-base.removeDuplicates"
	stopNode       = "n8n-nodes-base.stopAndError"
	codeNode       = "n8n-nodes-base.code"
	callNode       = "n8n-nodes-base.executeWorkflow"
	callToolNode   = "@n8n/n8n-nodes-langchain.toolWorkflow"
	calledTrigger  = "n8n-nodes-base.executeWorkflowTrigger"
	redisNode      = "n8n-nodes-base.redis"
	postgresNode   = "n8n-nodes-base.postgres"
	mySQLNode      = "n8n-nodes-base.mySql"
	dataTableNode  = "n8n-nodes-base.dataTable"
	supabaseNode   = "n8n-nodes-base.supabase"
	mongoNode      = "n8n-nodes-base.mongoDb"
	dynamoNode     = "n8n-nodes-base.awsDynamoDb"
	compareNode    = "n8n-nodes-base.compareDatasets"
	sentimentNode  = "@n8n/n8n-nodes-langchain.sentimentAnalysis"
	classifierNode = "@n8n/n8n-nodes-langchain.textClassifier"
	guardrailsNode = "@n8n/n8n-nodes-langchain.guardrails"
)

// outputs is the number of main outputs of a node without its error output
// (N8N.md section 7).
func outputs(n *graph.Node) int {
	switch n.Type {
	case ifNode, guardrailsNode:
		return 2
	case switchNode:
		return switchOutputs(n)
	case loopNode:
		if n.TypeVersion >= 2 {
			return 2
		}
	case dedupNode:
		if seenBefore(n) {
			return 2
		}
	case compareNode:
		return 4
	case sentimentNode, classifierNode:
		return many // one per category; the error output cannot be told apart
	}
	return 1
}

const many = 1 << 16

// errorOutput is the index of the node's error output, -1 where it has none:
// it is the one behind the last (N8N.md section 6).
func errorOutput(n *graph.Node) int {
	if n.OnError != graph.ContinueErrorOutput {
		return -1
	}
	return outputs(n)
}

// seenBefore reports whether a Remove Duplicates node compares with earlier
// executions; otherwise it compares within its input only (N8N.md section 4).
func seenBefore(n *graph.Node) bool {
	return n.TypeVersion >= 2 && n.Parameter("operation").Str() == "removeItemsSeenInPreviousExecutions"
}

// loopOutputs gives the outputs of Loop Over Items: the one that fires for each
// batch, and the one that fires at the end, -1 where there is none.
func loopOutputs(n *graph.Node) (loop, done int) {
	switch {
	case n.TypeVersion >= 3:
		return 1, 0
	case n.TypeVersion >= 2:
		return 0, 1
	}
	return 0, -1
}

// needsAllInputs reports whether a Merge gives items only when each of its
// connected inputs has some.
func needsAllInputs(n *graph.Node) bool {
	if n.Type != mergeNode || n.Disabled {
		return false
	}
	mode := n.Parameter("mode").Str()
	if n.TypeVersion < 2 {
		switch mode {
		case "keepKeyMatches", "multiplex":
			return true
		case "mergeByIndex", "mergeByKey":
			return n.Parameter("join").Str() == "inner"
		}
		return false
	}
	switch mode {
	case "chooseBranch":
		return true
	case "combine":
		return combineNeedsAll(n)
	}
	return false
}

// starves reports whether a Merge combines its two inputs and has nothing connected
// to one of them: it gives no items then.
// Source: n8n-nodes-base 2.41.1, Merge v2 and v3, modes combine.
func starves(n *graph.Node) bool {
	if n.TypeVersion < 2 || n.Parameter("mode").Str() != "combine" {
		return false
	}
	var wired [2]bool
	for _, e := range n.MainIn() {
		if e.Input < len(wired) {
			wired[e.Input] = true
		}
	}
	return !wired[0] || !wired[1]
}

func combineNeedsAll(n *graph.Node) bool {
	by := n.Parameter("combineBy").Str() // 3 and above
	if n.TypeVersion < 3 {
		by = n.Parameter("combinationMode").Str()
	}
	switch by {
	case "combineByPosition", "mergeByPosition":
		return !n.Parameter("options", "includeUnpaired").IsTrue()
	case "combineAll", "multiplex":
		return true
	}
	join := n.Parameter("joinMode").Str()
	return join == "" || join == "keepMatches"
}
