"""The beginnings of addresses under which all services answer."""

T = "/v1/tournaments/<t>"
G = "/v1/games/<g>"
