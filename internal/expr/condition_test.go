package expr

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestConditions decides conditions for the items that the two sides of a claim
// get: the loser's {success: true} and the winner's row (N8N.md 1a).
func TestConditions(t *testing.T) {
	loser := Item(Object(Field{Name: "success", Value: Bool(true)}))
	winner := Item(Object(Field{Name: "idem_key", Value: NonEmptyString()}))
	const yes, no, open = True, False, Maybe
	tests := []struct {
		code          string
		loser, winner Tri
	}{
		{"$json.idem_key", no, yes},
		{"$json.success", yes, no},
		{"!$json.idem_key", yes, no},
		{"!!$json.idem_key", no, yes},
		{"Boolean($json.idem_key)", no, yes},
		{"$json", yes, yes},
		{"$json.isNotEmpty()", yes, yes},
		{"$json.isEmpty()", no, no},
		{"$json.idem_key.isEmpty()", yes, no},
		{"$json.idem_key.isNotEmpty()", no, yes},
		{"$json['idem_key']", no, yes},
		{"$json[`idem_key`]", no, yes},
		{"$json?.idem_key", no, yes},
		{"$json.idem_key?.length", no, yes},
		{"$json.idem_key?.length > 0", no, yes},
		{"($json.idem_key || '').length > 0", no, yes},
		{"($json.idem_key ?? '') !== ''", no, yes},
		{"$json.idem_key === undefined", yes, no},
		{"$json.idem_key == null", yes, no},
		{"$json.idem_key != null", no, yes},
		{"$json.idem_key !== null", yes, yes},
		{"undefined === $json.idem_key", yes, no},
		{"typeof $json.idem_key === 'string'", no, yes},
		{"typeof $json.idem_key !== 'undefined'", no, yes},
		{"'idem_key' in $json", no, yes},
		{"$json.hasOwnProperty('idem_key')", no, yes},
		{"Object.prototype.hasOwnProperty.call($json, 'idem_key')", open, open},
		{"Object.keys($json).length > 0", yes, yes},
		{"Object.keys($json).includes('idem_key')", no, yes},
		{"Object.keys($json).length === 1", yes, yes},
		{"Object.keys($json)[0] === 'success'", yes, no},
		{"Object.values($json)[0]", yes, yes},
		{"Object.values($json)[0] === true", yes, no},
		{"$json.success !== true", no, yes},
		{"$json.success === true", yes, no},
		{"$json.success == true", yes, no},
		{"$json.success ? false : true", no, yes},
		{"$json.success ? 0 : 1", no, yes},
		{"!$json.success", no, yes},
		{"$json.success !== true && $json.idem_key", no, yes},
		{"$json.success || $json.idem_key", yes, yes},
		{"$json.idem_key || $json.success", yes, yes},
		{"$json.idem_key && $json.success", no, no},
		{"$json.idem_key && true", no, yes},
		{"$json.idem_key && 'won'", no, yes},
		{"$json.idem_key === 'abc'", no, open},
		{"$json.idem_key == $('Webhook').item.json.body.id", open, open},
		{"$json.idem_key > 5", no, open},
		{"$input.all().length > 0", yes, yes},
		{"$input.all().length === 0", no, no},
		{"$input.all().length", yes, yes},
		{"$input.all().length === 1", yes, yes},
		{"$items().length > 1", no, no},
		{"$input.first().json.idem_key", no, yes},
		{"$input.last().json.idem_key", no, yes},
		{"$input.item.json.idem_key", no, yes},
		{"$input.all()[0].json.idem_key", no, yes},
		{"$input.all().some(i => i.json.idem_key)", no, yes},
		{"$input.all().every(i => i.json.success)", yes, no},
		{"$input.all().filter(i => i.json.idem_key).length > 0", no, yes},
		{"$input.all().filter(i => i.json.idem_key !== undefined).length", no, yes},
		{"$input.all().map(i => i.json.idem_key).join('')", no, yes},
		{"$input.all().find(i => i.json.idem_key)", no, yes},
		{"$input.all().find(i => i.json.idem_key)?.json.idem_key", no, yes},
		{"$input.all().map(i => i.json).filter(j => !j.success).length", no, yes},
		{"$input.item.idem_key", no, no},
		{"$json.json", no, no},
		{"$ifEmpty($json.idem_key, false)", no, yes},
		{"$if($json.idem_key, true, false)", no, yes},
		{"$json.idem_key ?? false", no, yes},
		{"JSON.stringify($json).length > 2", yes, open},
		{"JSON.stringify($json) !== '{}'", yes, open},
		{"JSON.stringify($json) === '{\"success\":true}'", yes, open},
		{"String($json.idem_key)", yes, yes},
		{"String($json.idem_key) === 'undefined'", yes, open},
		{"`${$json.idem_key}`", yes, yes},
		{"`${$json.idem_key ?? ''}`", no, yes},
		{"$json.idem_key.toString()", no, yes},
		{"$json.idem_key.trim()", no, open},
		{"$json.idem_key.length > 3", no, open},
		{"$json.idem_key.toLowerCase()", no, yes},
		{"($json.idem_key + '').length > 0", yes, yes},
		{"Number($json.success) === 1", yes, no},
		{"+!!$json.idem_key", no, yes},
		{"$json.success.toString() === 'true'", yes, no},
		{"[$json.idem_key].filter(Boolean).length", no, yes},
		{"[undefined, null].includes($json.idem_key)", yes, no},
		{"($json.rows || []).length > 0", no, no},
		{"Array.isArray($json)", no, no},
		{"$json.a.b", no, no},
		{"$json.a?.b", no, no},
		{"$execution.id", yes, yes},
		{"$json.idem_key === $execution.id", no, open},
		{"$('Claim').isExecuted", open, open},
		{"$('Claim').item.json.idem_key", open, open},
		{"({ ...$json, idem_key: 1 }).idem_key", yes, yes},
		{"(({ idem_key }) => idem_key)($json)", no, yes},
		{"(() => { const { idem_key: key = 'none' } = $json; return key !== 'none' })()", no, open},
		{"(function () { for (const i of $input.all()) { if (i.json.idem_key) { return true } } return false })()", no, yes},
		{"new Date() > 0", open, open},
		{"1 < 2 && 'b' > 'a' && 2 ** 3 === 8 && 7 % 4 === 3", yes, yes},
		{"$json.idem_key, false", no, no},
		{"void 0", no, no},
		{"NaN", no, no},
		{"'0'", yes, yes},
		{"[]", yes, yes},
		{"$json.success === 'true'", no, no},
		{"$json.success && 'false'", yes, no},
		{"'false'.toBoolean()", no, no},
	}
	require.GreaterOrEqual(t, len(tests), 60)
	for _, test := range tests {
		t.Run(test.code, func(t *testing.T) {
			program, err := Parse(test.code, Expression)
			require.NoError(t, err)
			require.Equal(t, test.loser, Truth(program.Eval(loser)), "loser: %v", program.Eval(loser))
			require.Equal(t, test.winner, Truth(program.Eval(winner)), "winner: %v", program.Eval(winner))
		})
	}
}

func TestConditionsOnRows(t *testing.T) {
	row := func(value Value) Scope { return Item(Object(Field{Name: "claimed", Value: value})) }
	tests := []struct {
		code  string
		value Value
		want  Tri
	}{
		{"$json.claimed", Bool(false), False},
		{"$json.claimed === 1", Number(1), True},
		{"$json.claimed === 1", NumberBetween(2, Unbounded), False},
		{"$json.claimed > 1", NumberBetween(2, Unbounded), True},
		{"$json.claimed == 1", String("1"), True},
		{"$json.claimed === 1", String("1"), False},
		{"Number($json.claimed) === 1", String("1"), True},
		{"parseInt($json.claimed) > 0", String("0"), False},
		{"$json.claimed >= 1", NumberBetween(1, 1), True},
		{"Object.values($json)[0] == 1", Number(1), True},
		{"$json.claimed", SomeNumber(), Maybe},
		{"$json.claimed + 1 > 1", NumberBetween(1, 9), True},
		{"$json.claimed === null", Null(), True},
		{"$json.claimed == null", SomeString(), False},
		{"$json.claimed !== ''", NonEmptyString(), True},
		{"$json.claimed", Anything().Truthy(), True},
		{"$json.claimed == null", Anything().Truthy(), False},
	}
	for _, test := range tests {
		program, err := Parse(test.code, Expression)
		require.NoError(t, err)
		require.Equal(t, test.want, Truth(program.Eval(row(test.value))), "%s with %v", test.code, test.value)
	}
}

func TestTri(t *testing.T) {
	for _, a := range []Tri{False, Maybe, True} {
		require.Equal(t, a, a.Not().Not())
		require.Equal(t, False, a.And(False))
		require.Equal(t, True, a.Or(True))
		require.Equal(t, a, a.And(True))
		require.Equal(t, a, a.Or(False))
	}
	require.Equal(t, Maybe, Maybe.Not())
}
