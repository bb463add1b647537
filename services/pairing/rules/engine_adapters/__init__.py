"""The adapters of engines: a record in, pairs out.

An adapter imports only the standard library, the packages that its ``PINS`` name, and this package, always by relative
imports. It therefore also runs in a process that has nothing else of this project (`serve`). An adapter that a release
shipped is kept forever. Its ``PINS`` are all packages that it loads, as requirements of pip.
"""
