-- == Filters

-- whole objects
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0;

-- equal
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."name" = $1;

-- not equal
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."name" <> $1;

-- less
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" < $1;

-- at most
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" <= $1;

-- more
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" > $1;

-- at least
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" >= $1;

-- a column that may be NULL is compared with a value
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."paddock_id" = $1;

-- NULL
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."nick" IS NULL;

-- not NULL
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."nick" IS NOT NULL;

-- a list is one array
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."id" = ANY ($1);

-- two columns
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."id" < t0."mother_id";

-- two filters both hold
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" > $1 AND t0."friendly" = $2;

-- and
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" > $1 AND t0."friendly" = $2 AND t0."nick" IS NULL;

-- or within and
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE (t0."age" > $1 OR t0."friendly" = $2) AND t0."nick" IS NULL;

-- and within or
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" > $1 AND t0."friendly" = $2 OR t0."nick" IS NULL;

-- or beside a second filter
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE (t0."age" > $1 OR t0."friendly" = $2) AND t0."nick" IS NULL;

-- not
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE NOT t0."age" > $1;

-- not of and
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE NOT (t0."age" > $1 AND t0."friendly" = $2);

-- not within or
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."age" > $1 OR NOT t0."friendly" = $2 OR t0."nick" IS NULL;

-- == Relations and aliases

-- a condition on the other end
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE EXISTS (SELECT 1 FROM "paddocks" AS t1 WHERE t1."id" = t0."paddock_id" AND t1."name" = $1);

-- a condition on one of many
SELECT t0."id", t0."name", t0."hectares" FROM "paddocks" AS t0 WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."paddock_id" = t0."id" AND (t1."age" > $1 OR t1."nick" IS NULL));

-- conditions across two relations
SELECT t0."llama_id", t0."day", t0."price", t0."notes" FROM "shearings" AS t0 WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."id" = t0."llama_id" AND EXISTS (SELECT 1 FROM "paddocks" AS t2 WHERE t2."id" = t1."paddock_id" AND t2."name" = $1) AND t1."age" > $2);

-- none of many
SELECT t0."id", t0."name", t0."hectares" FROM "paddocks" AS t0 WHERE NOT EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."paddock_id" = t0."id" AND t1."friendly" = $1);

-- a table that refers to itself
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."id" = t0."mother_id" AND t1."age" > $1);

-- the same table twice, by an alias
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."paddock_id" = t0."paddock_id" AND t1."age" > t0."age");

-- an alias of another table
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE EXISTS (SELECT 1 FROM "paddocks" AS t1 WHERE t1."id" = t0."paddock_id" AND t1."name" = t0."name");

-- an alias beneath a relation
SELECT t0."id", t0."name", t0."hectares" FROM "paddocks" AS t0 WHERE EXISTS (SELECT 1 FROM "llamas" AS t1 WHERE t1."paddock_id" = t0."id" AND EXISTS (SELECT 1 FROM "llamas" AS t2 WHERE t2."mother_id" = t1."id"));

-- == Outputs

-- one column
SELECT t0."name" FROM "llamas" AS t0;

-- columns
SELECT t0."name", t0."age" FROM "llamas" AS t0;

-- a struct of some columns
SELECT t0."name", t0."age" FROM "llamas" AS t0;

-- joined
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id";

-- joined and required
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id";

-- selectin selects the key for its statement
SELECT t0."id", t0."name", t0."hectares", t0."id" FROM "paddocks" AS t0;

-- several includes
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares", t2."id" IS NOT NULL, t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id", t0."id" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" LEFT JOIN "llamas" AS t2 ON t2."id" = t0."mother_id";

-- joined beneath joined
SELECT t0."llama_id", t0."day", t0."price", t0."notes", t1."id" IS NOT NULL, t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id", t2."id" IS NOT NULL, t2."id", t2."name", t2."hectares" FROM "shearings" AS t0 LEFT JOIN "llamas" AS t1 ON t1."id" = t0."llama_id" LEFT JOIN "paddocks" AS t2 ON t2."id" = t1."paddock_id";

-- columns with an include and a filter across the same relation
SELECT t0."name", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" WHERE EXISTS (SELECT 1 FROM "paddocks" AS t2 WHERE t2."id" = t0."paddock_id" AND t2."name" = $1);

-- hostile names
SELECT t0."id""; DROP TABLE llamas; --" FROM "c""""d"."a""b" AS t0 WHERE t0."id""; DROP TABLE llamas; --" = $1 ORDER BY t0."id""; DROP TABLE llamas; --";

-- == Orders and limits

-- ascending
SELECT t0."id" FROM "llamas" AS t0 ORDER BY t0."name";

-- descending
SELECT t0."id" FROM "llamas" AS t0 ORDER BY t0."name" DESC;

-- NULLs first
SELECT t0."id" FROM "llamas" AS t0 ORDER BY t0."nick" NULLS FIRST;

-- NULLs last
SELECT t0."id" FROM "llamas" AS t0 ORDER BY t0."nick" DESC NULLS LAST;

-- two orders
SELECT t0."id" FROM "llamas" AS t0 ORDER BY t0."age" DESC, t0."name";

-- limit
SELECT t0."id" FROM "llamas" AS t0 LIMIT $1;

-- offset
SELECT t0."id" FROM "llamas" AS t0 OFFSET $1;

-- the last parameters are limit and offset
SELECT t0."id" FROM "llamas" AS t0 WHERE t0."age" > $1 ORDER BY t0."id" LIMIT $2 OFFSET $3;

-- == Includes

-- many, by one statement for all rows
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "llamas" AS t0 ON t0."paddock_id" = k.v0;

-- some of many
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "llamas" AS t0 ON t0."paddock_id" = k.v0 WHERE t0."age" > $2;

-- many in an order
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "llamas" AS t0 ON t0."paddock_id" = k.v0 ORDER BY t0."name";

-- a few of the many of each row
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, l.* FROM unnest($1) WITH ORDINALITY AS k (v0, n) CROSS JOIN LATERAL (SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM "llamas" AS t0 WHERE t0."paddock_id" = k.v0 ORDER BY t0."age" DESC, t0."id" LIMIT $2) AS l;

-- a part of the many of each row, with what each refers to
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, l.* FROM unnest($1) WITH ORDINALITY AS k (v0, n) CROSS JOIN LATERAL (SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id", t1."id" IS NOT NULL, t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t0 LEFT JOIN "llamas" AS t1 ON t1."id" = t0."mother_id" WHERE t0."paddock_id" = k.v0 AND t0."friendly" = $2 ORDER BY t0."id" LIMIT $3 OFFSET $4) AS l;

-- many beneath many
SELECT t0."name", t0."id" FROM "paddocks" AS t0;
SELECT k.n, t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id", t0."id" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "llamas" AS t0 ON t0."paddock_id" = k.v0;
SELECT k.n, t0."llama_id", t0."day", t0."price", t0."notes" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "shearings" AS t0 ON t0."llama_id" = k.v0 ORDER BY t0."day";

-- many beneath joined
SELECT t0."name", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares", t1."id" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id";
SELECT k.n, t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM unnest($1) WITH ORDINALITY AS k (v0, n) JOIN "llamas" AS t0 ON t0."paddock_id" = k.v0;

-- joined where a condition holds
SELECT t0."name", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" AND t1."hectares" > $1;

-- values of an include come ahead of the filter's
SELECT t0."name", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" AND t1."name" = $1 WHERE t0."age" > $2 LIMIT $3;

-- == Shapes

-- distinct
SELECT DISTINCT t0."name" FROM "llamas" AS t0;

-- the first of each
SELECT DISTINCT ON (t0."paddock_id") t0."name" FROM "llamas" AS t0 ORDER BY t0."paddock_id", t0."age" DESC;

-- expressions
SELECT upper(t0."name"), t0."age" + $1, t0."nick" IS NULL FROM "llamas" AS t0;

-- groups
SELECT t0."paddock_id", count(*), max(t0."age") FROM "llamas" AS t0 GROUP BY t0."paddock_id" ORDER BY t0."paddock_id";

-- groups for which a condition holds
SELECT t0."paddock_id", lower(t0."name"), count(*) FROM "llamas" AS t0 WHERE t0."friendly" = $1 GROUP BY t0."paddock_id", lower(t0."name") HAVING count(*) >= $2;

-- a join
SELECT t0."name", t1."name" FROM "llamas" AS t0 JOIN "llamas" AS t1 ON t1."age" > t0."age";

-- a join from the left
SELECT t0."name", t1."name" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" AND t1."name" <> $1 WHERE t0."age" > $2 ORDER BY t1."name";

-- two joins, of which the second knows the first
SELECT t0."id", t2."id" FROM "llamas" AS t0 JOIN "llamas" AS t1 ON t1."age" > t0."age" JOIN "paddocks" AS t2 ON t2."id" = t1."paddock_id";

-- behind a row, by an index
SELECT t0."id" FROM "llamas" AS t0 WHERE ((t0."age", t0."id") < ($1, $2)) ORDER BY t0."age" DESC, t0."id" DESC;

-- behind a row, both ways
SELECT t0."id" FROM "llamas" AS t0 WHERE t0."paddock_id" > $1 OR t0."paddock_id" IS NULL OR t0."paddock_id" = $2 AND t0."id" < $3 ORDER BY t0."paddock_id", t0."id" DESC;

-- behind a row with a NULL
SELECT t0."id" FROM "llamas" AS t0 WHERE t0."paddock_id" IS NULL AND t0."id" < $1 ORDER BY t0."paddock_id", t0."id" DESC;

-- behind one key
SELECT t0."id" FROM "llamas" AS t0 WHERE t0."id" > $1 ORDER BY t0."id";

-- a page
SELECT t0."name" FROM "llamas" AS t0 ORDER BY t0."id" LIMIT $1 OFFSET $2;

-- locked for an update
SELECT t0."name" FROM "llamas" AS t0 FOR UPDATE OF t0;

-- locked, and those of others passed over
SELECT t0."name" FROM "llamas" AS t0 LIMIT $1 FOR NO KEY UPDATE OF t0 SKIP LOCKED;

-- locked or refused
SELECT t0."name" FROM "llamas" AS t0 FOR SHARE OF t0 NOWAIT;

-- keys locked
SELECT t0."name" FROM "llamas" AS t0 FOR KEY SHARE OF t0;

-- locked beside a join
SELECT t0."name", t1."id" IS NOT NULL, t1."id", t1."name", t1."hectares" FROM "llamas" AS t0 LEFT JOIN "paddocks" AS t1 ON t1."id" = t0."paddock_id" FOR UPDATE OF t0;

-- the rows of both
SELECT t0."id" FROM ((SELECT t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t1 WHERE t1."age" < $1) UNION (SELECT t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id" FROM "llamas" AS t2 WHERE t2."paddock_id" IS NULL)) AS t0;

-- the rows of both, twice
SELECT t0."id" FROM ((SELECT t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t1 WHERE t1."age" < $1) UNION ALL (SELECT t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id" FROM "llamas" AS t2 WHERE t2."paddock_id" IS NULL)) AS t0;

-- what both have
SELECT t0."id" FROM ((SELECT t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t1 WHERE t1."age" < $1) INTERSECT (SELECT t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id" FROM "llamas" AS t2 WHERE t2."paddock_id" IS NULL)) AS t0;

-- what the other has not
SELECT t0."id" FROM ((SELECT t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t1 WHERE t1."age" < $1) EXCEPT (SELECT t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id" FROM "llamas" AS t2 WHERE t2."paddock_id" IS NULL)) AS t0;

-- parts keep their limits, and all of it has its own
SELECT t0."id", t0."name", t0."nick", t0."age", t0."friendly", t0."paddock_id", t0."mother_id" FROM ((SELECT t1."id", t1."name", t1."nick", t1."age", t1."friendly", t1."paddock_id", t1."mother_id" FROM "llamas" AS t1 WHERE t1."age" < $1 ORDER BY t1."age" LIMIT $2) UNION (SELECT t2."id", t2."name", t2."nick", t2."age", t2."friendly", t2."paddock_id", t2."mother_id" FROM "llamas" AS t2 WHERE t2."paddock_id" IS NULL)) AS t0 WHERE t0."friendly" = $3 ORDER BY t0."name" LIMIT $4;

-- == Tables

-- a table
CREATE TABLE "paddocks" (
    "id" int8 GENERATED BY DEFAULT AS IDENTITY,
    "name" text NOT NULL UNIQUE,
    "hectares" float8,
    PRIMARY KEY ("id")
);

-- foreign keys and a default
CREATE TABLE "llamas" (
    "id" int8 GENERATED BY DEFAULT AS IDENTITY,
    "name" text NOT NULL,
    "nick" text,
    "age" int4 NOT NULL DEFAULT 0,
    "friendly" bool NOT NULL,
    "paddock_id" int8 REFERENCES "paddocks" ("id"),
    "mother_id" int8 REFERENCES "llamas" ("id") ON DELETE SET NULL,
    PRIMARY KEY ("id")
);

-- a composite key
CREATE TABLE "shearings" (
    "llama_id" int8 NOT NULL REFERENCES "llamas" ("id") ON DELETE CASCADE,
    "day" date NOT NULL,
    "price" numeric(8,2) NOT NULL,
    "notes" jsonb,
    PRIMARY KEY ("llama_id", "day")
);

-- hostile names
CREATE TABLE "c""""d"."a""b" (
    "id""; DROP TABLE llamas; --" int8 NOT NULL,
    PRIMARY KEY ("id""; DROP TABLE llamas; --")
);

