a
ls: cannot access 'no': No such file or directory
e
