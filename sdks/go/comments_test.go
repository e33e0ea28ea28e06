package souk

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"strings"
	"testing"
)

// Everything that the package exports has a comment, as have its fields.
func TestComments(t *testing.T) {
	isSource := func(file fs.FileInfo) bool { return !strings.HasSuffix(file.Name(), "_test.go") }
	packages, err := parser.ParseDir(token.NewFileSet(), ".", isSource, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	see := func(name string, comments ...*ast.CommentGroup) {
		parts := strings.Split(name, ".")
		// Methods of interfaces of the standard library.
		if last := parts[len(parts)-1]; last == "Error" || last == "Unwrap" {
			return
		}
		if !ast.IsExported(parts[0]) || !ast.IsExported(parts[len(parts)-1]) {
			return
		}
		seen++
		for _, comment := range comments {
			if comment.Text() != "" {
				return
			}
		}
		t.Errorf("%s has no comment", name)
	}
	seeFields := func(owner string, fields *ast.FieldList) {
		for _, field := range fields.List {
			for _, name := range field.Names {
				see(owner+"."+name.Name, field.Doc, field.Comment)
			}
		}
	}
	for _, file := range packages["souk"].Files {
		for _, declaration := range file.Decls {
			switch declared := declaration.(type) {
			case *ast.FuncDecl:
				name := declared.Name.Name
				if declared.Recv != nil {
					name = receiver(declared.Recv.List[0].Type) + "." + name
				}
				see(name, declared.Doc)
			case *ast.GenDecl:
				for _, spec := range declared.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						see(spec.Name.Name, spec.Doc, declared.Doc)
						switch of := spec.Type.(type) {
						case *ast.StructType:
							seeFields(spec.Name.Name, of.Fields)
						case *ast.InterfaceType:
							seeFields(spec.Name.Name, of.Methods)
						}
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							see(name.Name, spec.Doc, spec.Comment)
						}
					}
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d declarations were found", seen)
	}
}

// Returns the name of the type of a method.
func receiver(of ast.Expr) string {
	switch of := of.(type) {
	case *ast.StarExpr:
		return receiver(of.X)
	case *ast.IndexExpr:
		return receiver(of.X)
	case *ast.Ident:
		return of.Name
	}
	return ""
}
