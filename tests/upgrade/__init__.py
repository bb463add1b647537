"""Upgrades from earlier versions, and a rolling restart from the version before to this one."""
