module souk.dev/souk

go 1.19
