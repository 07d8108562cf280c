package flow
import ("testing";"os";"path/filepath";"github.com/n8nlint/n8nlint/internal/catalog";"github.com/n8nlint/n8nlint/internal/graph";"github.com/n8nlint/n8nlint/internal/source";"fmt";"strings")
func TestZZ(t *testing.T){
 want:=os.Getenv("ZZ"); if want=="" {t.Skip()}
 files,_:=filepath.Glob("/work/shared/corpus/workflows/*.json")
 seen:=map[string]int{}
 for _,f:=range files{ d,_:=os.ReadFile(f); ws,err:=graph.Read(source.NewFile(filepath.Base(f),d)); if err!=nil{continue}
  for _,w:=range ws{ tr:=New(catalog.New(),[]*graph.Workflow{w},nil,nil)
   for _,n:=range w.Nodes{ eachExpression(n.Parameters,func(v source.Value){
     x:=tr.Value(n,v)
     for _,o:=range x.Origins{ k:=fmt.Sprintf("%s %s: %s",o.Kind,o.Node.Type,o.Name); if strings.HasPrefix(k,want){
       if seen[w.File.Name]>1 {continue}; seen[w.File.Name]++
       var ks []string; for _,p:=range x.Origins{ks=append(ks,p.Kind.String())}
       s:=v.Str(); if len(s)>120{s=s[:120]}
       fmt.Printf("%s | %s | %q | %v | at %q | way %s | all %v\n",w.File.Name,n.Name,s,o.Path,cut(o.At.Text()),cut(way(o)),ks)
     }}
   })}}}
}
func cut(s string)string{ if len(s)>160 {return s[:160]}; return s}
