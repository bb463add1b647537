"""What an attacker does, a file a class; each attack fails, or is named with the reason why nobody could stop it."""
