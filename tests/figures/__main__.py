"""`python -m tests.figures`: write the performance page and the figures of both READMEs."""

from tests.figures.pages import write_pages

if __name__ == "__main__":
    write_pages()
