# A schema, rows to load and migrations.
mkdir -p app/migrations
cd app
printf 'CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);\nCREATE TABLE posts (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), title TEXT);\n' >schema.sql
printf 'id,name,age\n1,ada,36\n2,grace,45\n3,linus,28\n' >users.csv
printf 'ALTER TABLE users ADD COLUMN email TEXT;\n' >migrations/001_email.sql
printf 'CREATE INDEX users_name ON users(name);\n' >migrations/002_index.sql
