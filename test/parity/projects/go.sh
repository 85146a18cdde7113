# A module with a package, a command and tests.
mkdir -p app/cmd/greet app/greet
cd app
printf 'module example.com/app\n\ngo 1.18\n' >go.mod
printf 'package greet\n\nimport "fmt"\n\nfunc Hello(name string) string { return fmt.Sprintf("Hello, %%s!", name) }\n' >greet/greet.go
printf 'package greet\n\nimport "testing"\n\nfunc TestHello(t *testing.T) {\n\tif Hello("a") != "Hello, a!" {\n\t\tt.Fatal("wrong")\n\t}\n}\n' >greet/greet_test.go
printf 'package main\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"example.com/app/greet"\n)\n\nfunc main() { fmt.Println(greet.Hello(os.Args[1])) }\n' >cmd/greet/main.go
