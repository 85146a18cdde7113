# Go without a module proxy.
# project: go
# needs: go
# ignore: times

#### builds, runs and tests
go build ./... && go run ./cmd/greet Ada && go test ./... | awk '{ print $1, $2 }'

#### keeps its build cache between commands
go build -o greet ./cmd/greet
# -- next command
test -d "$(go env GOCACHE)" && ./greet Bob; rm greet

#### vets and formats
go vet ./... && gofmt -l . && printf 'package greet\nfunc  X( ) { }\n' > greet/x.go && gofmt -w greet/x.go && cat greet/x.go

#### fails to build
echo 'func broken( {' >> greet/greet.go; go build ./... 2>/dev/null; echo "status $?"
