package expr

import "testing"

func FuzzTemplate(f *testing.F) {
	for _, seed := range append(benchmarkExpressions, "={{ '}}' }}", `=\{{ {{ a \}} }}`, "={{", "=}}{{ {a:1} }}", "{{ $json }}", "={{ a?.b?.[0]?.() ?? `${c}` }}") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, template := range []*Template{ParseTemplate(text), ParseResolved(text)} {
			end := 0
			for _, part := range template.Parts {
				if part.Start < end || part.End < part.Start || part.End > len(text) || text[part.Start:part.End] != part.Text {
					t.Fatalf("part %+v of %q", part, text)
				}
				end = part.End
			}
			checkSpans(t, text, template.Eval(Symbolic{}))
			for _, name := range template.References() {
				if name.Start < 0 || name.End > len(text) || name.Start > name.End {
					t.Fatalf("name %+v of %q", name, text)
				}
			}
		}
	})
}

func FuzzEval(f *testing.F) {
	for _, seed := range []string{
		benchmarkBody,
		"for (const i of items) { if (!i.json.a) continue; i.json.b = [...i.json.c, 1] } return items",
		"let n = 0; while (n < 5) { n++; try { if (n > 2) throw n } catch (e) { break } finally { n += 1 } } return [{ json: { n } }]",
		"const { a = 1, ...b } = $json; switch (a) { case 1: case 2: return b; default: return [] }",
		"function f(x) { return x ? f(x - 1) : g() } const g = async () => await fetch('u'); return f(3)",
		"return items.reduce((o, { json: { k, v } }) => ({ ...o, [k]: v }), {})",
		"const a = [1]; a.push(a); a[0] = { a }; delete a[0].a; return [{ json: a[0] }]",
		"const s = $getWorkflowStaticData('global'); s.n = (s.n || 0) + 1; return s.n > 1 ? [] : items",
	} {
		f.Add(seed)
	}
	loser := Item(Object(Field{Name: "success", Value: Bool(true)}))
	f.Fuzz(func(t *testing.T, text string) {
		for _, mode := range []Mode{Body, Expression} {
			program, err := Parse(text, mode)
			if err != nil {
				continue
			}
			for _, scope := range []Scope{Symbolic{}, loser} {
				for _, codeMode := range []CodeMode{AllItems, EachItem, FunctionItem} {
					result := program.RunCode(scope, codeMode)
					checkSpans(t, text, result.Items)
					for _, call := range result.Calls {
						if call.Start < 0 || call.End > len(text) || call.Start > call.End {
							t.Fatalf("call %+v of %q", call, text)
						}
					}
				}
				Truth(program.Eval(scope))
			}
			program.References()
		}
	})
}

func checkSpans(t *testing.T, text string, v Value) {
	t.Helper()
	for _, origin := range v.AllOrigins() {
		if origin.Start < 0 || origin.End > len(text) || origin.Start > origin.End {
			t.Fatalf("origin %+v of %q", origin, text)
		}
	}
	_ = v.String()
}
