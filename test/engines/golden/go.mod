module github.com/policyloom/policyloom/test/engines/golden

go 1.26
