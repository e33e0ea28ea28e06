module souk

go 1.19
