// Package rules is the list of everything that n8nlint checks.
package rules

import (
	"github.com/n8nlint/n8nlint/internal/lint"
	"github.com/n8nlint/n8nlint/rules/claim"
	"github.com/n8nlint/n8nlint/rules/flow"
	"github.com/n8nlint/n8nlint/rules/ingress"
	"github.com/n8nlint/n8nlint/rules/key"
	"github.com/n8nlint/n8nlint/rules/retry"
	"github.com/n8nlint/n8nlint/rules/state"
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
		key.VolatileDedupKey(),
		key.ConstantDedupKey(),
		key.MangledDedupKey(),
		key.LLMDedupKey(),
		key.MissingIdempotencyKey(),
		key.UnenforcedIdempotencyKey(),
		key.SharedDedupKey(),
		key.AmbiguousDedupKey(),
		retry.NonIdempotent(),
		retry.BlindResend(),
		retry.SwallowedError(),
		retry.PartialBatch(),
		state.MissingDoneMark(),
		state.MissingDoneGuard(),
		state.MissingReviewState(),
		state.EarlyDone(),
		state.WorkerWithoutClaim(),
		state.Mismatch(),
		state.UnboundedSweep(),
		ingress.SlowAck(),
		ingress.AckBeforeRecord(),
		ingress.AckDespiteError(),
		ingress.UnverifiedWebhook(),
		ingress.ParsedBodySignature(),
		ingress.LateVerification(),
		ingress.DuplicateWebhookPath(),
		flow.DoubleRun(),
		flow.WaitAsQueue(),
		flow.SideEffectTool(),
		flow.RespondModeMismatch(),
		flow.LoopOutputsSwapped(),
		flow.UnevaluatedExpression(),
		flow.MissingWebhookField(),
	}
}
