package expr

import "testing"

var benchmarkExpressions = []string{
	"={{ $json.body.event_id }}",
	"={{ $json.customer.email.toLowerCase().trim() }}",
	"=https://api.example.com/orders/{{ $('Webhook').item.json.body.order_id }}/lines?page={{ $json.page || 1 }}",
	"={{ $json.items.map(i => i.sku).join(',') }}",
	"={{ $now.minus({ days: 7 }).toISO() }}",
	"={{ { id: $json.id, name: `${$json.first} ${$json.last}` } }}",
	"={{ $('Config').first().json.limit > 10 && $json.total >= 5 ? 'high' : 'low' }}",
}

const benchmarkBody = `
const out = [];
const config = $('Config').first().json;
for (const item of $input.all()) {
  const body = item.json.body || item.json;
  const email = (body.email || '').trim().toLowerCase();
  if (!email.includes('@')) {
    continue;
  }
  const tags = (body.tags || []).map(t => String(t).toLowerCase()).filter(Boolean);
  let tier = 'standard';
  if (body.total > config.limit) {
    tier = 'gold';
  } else if (tags.includes('vip')) {
    tier = 'silver';
  }
  out.push({
    json: {
      ...body,
      email,
      tags,
      tier,
      key: email + ':' + body.order_id,
      seen_at: new Date().toISOString(),
    },
  });
}
if (out.length === 0) {
  return [];
}
return out;
`

func BenchmarkExpression(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		Truth(Eval(benchmarkExpressions[i%len(benchmarkExpressions)], Symbolic{}))
	}
}

func BenchmarkExpressionParse(b *testing.B) {
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		ParseTemplate(benchmarkExpressions[i%len(benchmarkExpressions)])
	}
}

func BenchmarkBody(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		program, err := Parse(benchmarkBody, Body)
		if err != nil {
			b.Fatal(err)
		}
		program.RunCode(Symbolic{}, AllItems)
	}
}

func BenchmarkBodyRun(b *testing.B) {
	program, err := Parse(benchmarkBody, Body)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		program.RunCode(Symbolic{}, AllItems)
	}
}
