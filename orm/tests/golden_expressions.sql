-- == Comparisons

-- equal
t0."n" = $1

-- not equal, of what may be NULL
t0."m" <> $1

-- less
t0."n" < $1

-- at most
t0."m" <= $1

-- more
t0."x" > $1

-- at least
t0."big" >= $1

-- text in the order of its bytes
t0."word" = $1

-- between
t0."n" BETWEEN $1 AND $2

-- between, the wrong way round
t0."n" BETWEEN $1 AND $2

-- between columns
t0."n" BETWEEN t0."m" AND t0."n"

-- two columns
t0."n" = t0."m"

-- a column and an expression
t0."n" < t0."m" + $1

-- a value on the right as an operand
t0."n" >= $1

-- the same, where both may be NULL
t0."m" IS NOT DISTINCT FROM nullif(t0."n", $1)

-- distinct from another column
t0."m" IS DISTINCT FROM t0."n"

-- a truth value is compared like any other
t0."yes" < $1

-- a day
t0."day" > $1

-- == Lists

-- one of these
t0."n" = ANY ($1)

-- one of none
t0."n" = ANY ($1)

-- one of these, of what may be NULL
t0."m" = ANY ($1)

-- none of these
t0."n" <> ALL ($1)

-- none of none
t0."m" <> ALL ($1)

-- one of these texts
t0."word" = ANY ($1)

-- an expression among values
t0."n" + $1 = ANY ($2)

-- == NULL

-- NULL
t0."m" IS NULL

-- not NULL
t0."note" IS NOT NULL

-- a value in its place
coalesce(t0."m", $1) > $2

-- a column in its place
coalesce(t0."m", t0."n") > $1

-- NULL where equal
nullif(t0."n", $1) IS NULL

-- the greater passes over NULL
greatest(t0."m", $1) <= $2

-- the lesser of two columns
least(t0."m", t0."n") < $1

-- arithmetic with NULL is NULL
t0."m" + t0."n" IS NULL

-- == And, or, not

-- and, with what may be unknown
t0."m" > $1 AND t0."n" > $2

-- or, with what may be unknown
t0."m" > $1 OR t0."n" > $2

-- not of the unknown is unknown
NOT t0."m" > $1

-- unknown
(t0."m" > $1) IS UNKNOWN

-- not of or
NOT (t0."m" > $1 OR t0."n" > $2)

-- or within and
(t0."m" > $1 OR t0."n" > $2) AND t0."yes"

-- true
t0."maybe" IS TRUE

-- false
t0."maybe" IS FALSE

-- a column that is a condition
t0."maybe"

-- a condition as a value
t0."maybe" = (t0."n" > $1)

-- two conditions that are as true
(t0."m" > $1) IS NOT DISTINCT FROM (t0."n" > $2)

-- == Arithmetic

-- times before plus
t0."n" * $1 + $2 > $3

-- a sum within a product
(t0."n" + $1) * $2 > $3

-- differences go from the left
t0."n" - t0."m" - $1 > $2

-- a difference of a difference
t0."n" - (t0."n" - $1) = $2

-- division drops the rest
t0."n" / $1 = $2

-- the rest of a division has the sign of what is divided
t0."n" % $1 = $2

-- negative
- t0."n" > $1

-- the negative of a negative
- (- t0."n") = t0."n"

-- doubles
t0."x" * $1 - $2 <= $3

-- large numbers
t0."big" * $1 > $2

-- == Functions of numbers

-- without its sign
abs(t0."n") > $1

-- its sign
sign(t0."n"::float8) = $1

-- floor
floor(t0."x"::float8) = $1

-- ceil
ceil(t0."x"::float8) = $1

-- round, half to even
round(t0."x"::float8) = $1

-- a square root
sqrt(abs(t0."n")::float8) > $1

-- a power
power(t0."x"::float8, $1) > $2

-- == Bits

-- bits of both
t0."n" & $1 = $2

-- bits of either
t0."n" | $1 = t0."n"

-- bits of one
t0."n" # $1 > $2

-- other bits
~ t0."n" >= $1

-- shifted
t0."n" << $1 > $2

-- shifted back
t0."n" >> $1 = $2

-- arithmetic within bits
t0."n" + $1 & t0."n" = $2

-- == CASE

-- the first branch that holds
CASE WHEN t0."n" < $1 THEN $2 WHEN t0."n" = $3 THEN $4 ELSE $5 END = $6

-- or else
CASE WHEN t0."n" < $1 THEN $2 WHEN t0."n" = $3 THEN $4 ELSE $5 END = $6

-- without an else it is NULL
CASE WHEN t0."n" < $1 THEN $2 WHEN t0."n" = $3 THEN $4 END IS NULL

-- columns in branches
CASE WHEN t0."yes" THEN t0."m" ELSE t0."n" END > $1

-- == Casts and constants

-- a wider number
t0."n"::int8 < t0."big"

-- a number as text
t0."n"::text = $1

-- what cannot be NULL as what can
t0."n" IS NOT NULL

-- a value as an expression
$1::int4 < t0."n"

-- a constant in the statement
t0."n" = '-3'::int4

-- a text constant
t0."word" =  E'back\\slash'

-- a text constant with a quote
t0."word" = 'it''s'

-- a constant that is true
TRUE = t0."maybe"

-- == Patterns

-- like
t0."word" LIKE $1

-- like, with an escape
t0."word" LIKE $1

-- one character
t0."word" LIKE $1

-- not like
t0."note" NOT LIKE $1

-- in any case
t0."word" ILIKE $1

-- not in any case
t0."word" NOT ILIKE $1

-- begins with
t0."word" LIKE $1

-- ends with
t0."word" LIKE $1

-- contains
t0."note" LIKE $1

-- contains nothing in particular
t0."word" LIKE $1

-- an escaped pattern
t0."word" LIKE $1

-- a regular expression
t0."word" ~ $1

-- a regular expression in any case
t0."word" ~* $1

-- a pattern over an expression
t0."word" || $1 LIKE $2

-- == Functions of text

-- lower
lower(t0."word") = $1

-- upper
upper(t0."note") = $1

-- how many characters
char_length(t0."word") = $1

-- one behind the other
t0."word" || t0."note" = $1

-- a part
substr(t0."word", $1, $2) = $3

-- the first characters
"left"(t0."word", $1) = $2

-- the last characters
"right"(t0."word", $1) = $2

-- with something else in its place
replace(t0."word", $1, $2) = $3

-- where it is
strpos(t0."word", $1) > $2

-- parts between separators
split_part(t0."word", $1, $2) = $3

-- without spaces around
btrim(t0."word" || $1) = t0."word"

-- functions of functions
"left"(lower(coalesce(t0."note", t0."word")), $1) = $2

-- == Hostile texts

-- as a value
t0."word" <> $1

-- in a list
t0."word" <> ALL ($1)

-- in a pattern
t0."word" LIKE $1

-- as an argument
replace(t0."word", $1, $2) = t0."word"

-- as a key
t0."doc" ? $1

-- in a path
t0."doc" #>> $1 IS NULL

-- as an element
$1 = ANY (t0."tags")

-- in a part of an array
t0."tags" @> $1

-- == Arrays

-- has an element
$1 = ANY (t0."tags")

-- all elements are this
$1 = ALL (t0."nums")

-- contains a list
t0."tags" @> $1

-- contains nothing in particular
t0."tags" @> $1

-- is contained
t0."nums" <@ $1

-- overlaps
t0."tags" && $1

-- overlaps nothing
t0."tags" && $1

-- how many
cardinality(t0."tags") > $1

-- an element by its place
(t0."nums")[$1] = $2

-- the place of an element
array_position(t0."tags", $1) = $2

-- with another element
cardinality(array_append(t0."tags", $1)) = $2

-- without an element
cardinality(array_remove(t0."tags", $1)) = $2

-- the same array
t0."nums" = $1

-- == Ranges

-- a value in it
t0."span" @> $1

-- a column's value in it
t0."span" @> t0."n"

-- a range in it
t0."span" @> $1

-- in a range
t0."span" <@ $1

-- overlaps a range
t0."span" && $1

-- before a range
t0."span" << $1

-- after a range
t0."span" >> $1

-- beside a range
t0."span" -|- $1

-- ends within
t0."span" &< $1

-- begins within
t0."span" &> $1

-- its lower bound
lower(t0."span") < $1

-- its upper bound
upper(t0."span") IS NULL

-- empty
isempty(t0."span")

-- == jsonb

-- contains a document
t0."doc" @> $1

-- an array contains a string
t0."doc" @> $1

-- is contained
t0."doc" <@ $1

-- has a key
t0."doc" ? $1

-- has one of some keys
t0."doc" ?| $1

-- has all of some keys
t0."doc" ?& $1

-- what is under a key
t0."doc" -> $1 = $2

-- what is under a key, as text
t0."doc" ->> $1 = $2

-- what is at a place; a value by itself is at its first
t0."doc" -> $1 = $2

-- a path
t0."doc" #> $1 = $2

-- a path, as text
t0."doc" #>> $1 = ANY ($2)

-- a document at the end of a path, as text
t0."doc" #>> $1 = $2

-- a JSON path that finds something
t0."doc" @? $1

-- a JSON path that states something
t0."doc" @@ $1

-- without a key, where there are keys
CASE WHEN jsonb_typeof(t0."doc") = $1 THEN t0."doc" - $2::text END = $3

-- merged
(t0."doc" || $1) ->> $2 IS NOT NULL

-- what type it is of
jsonb_typeof(t0."doc") = $1

-- the same document
t0."doc" = $1

-- == Dates and times

-- a part of a day
date_part('month', t0."day") = $1

-- truncated to a month
date_trunc('month', t0."day")::date = $1

-- days between
t0."day" - t0."day" = $1

-- an interval later
t0."at" + $1 > t0."at"

-- a day is a time at midnight
t0."day" - $1 = t0."day"::timestamp

-- seconds since 1970
date_part('epoch', t0."at") > $1

-- the day of a time
t0."at"::date IS NULL

-- == Places

-- within
(t0."place" <@ $1 OR t0."place" <@ $2) AND (2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians((t0."place")[1] - $3) / 2), 2) + $4 * cos(radians((t0."place")[1])) * power(sin(radians((t0."place")[0] - $5) / 2), 2))))) <= $6

-- across the antimeridian
(t0."place" <@ $1 OR t0."place" <@ $2) AND (2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians((t0."place")[1] - $3) / 2), 2) + $4 * cos(radians((t0."place")[1])) * power(sin(radians((t0."place")[0] - $5) / 2), 2))))) <= $6

-- around a pole
(t0."place" <@ $1 OR t0."place" <@ $2) AND (2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians((t0."place")[1] - $3) / 2), 2) + $4 * cos(radians((t0."place")[1])) * power(sin(radians((t0."place")[0] - $5) / 2), 2))))) <= $6

-- nearly everywhere
(t0."place" <@ $1 OR t0."place" <@ $2) AND (2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians((t0."place")[1] - $3) / 2), 2) + $4 * cos(radians((t0."place")[1])) * power(sin(radians((t0."place")[0] - $5) / 2), 2))))) <= $6

-- farther than
(2 * 6371008.8 * asin(sqrt(least(1, power(sin(radians((t0."place")[1] - $1) / 2), 2) + $2 * cos(radians((t0."place")[1])) * power(sin(radians((t0."place")[0] - $3) / 2), 2))))) > $4

-- == Full text search

-- what a user typed
to_tsvector('simple'::regconfig, t0."word") @@ websearch_to_tsquery('simple'::regconfig, $1)

-- all of some words
to_tsvector('simple'::regconfig, t0."word") @@ plainto_tsquery('simple'::regconfig, $1)

-- a rank
ts_rank(to_tsvector('simple'::regconfig, t0."word"), websearch_to_tsquery('simple'::regconfig, $1)) > $2

-- == Subqueries

-- among the values of a query
t0."n" IN (SELECT t1."n" FROM "samples" AS t1 WHERE t1."yes")

-- not among the values of a query
t0."n" NOT IN (SELECT t1."n" FROM "samples" AS t1 WHERE t1."n" > $1)

-- a query of what may be NULL
t0."n" IN (SELECT t1."m" FROM "samples" AS t1)

-- there is such a row, of the row around
EXISTS (SELECT 1 FROM "samples" AS t1 WHERE t1."m" = t0."n" AND t1."id" <> $1)

-- the value of a query
t0."n" > (SELECT t1."n" FROM "samples" AS t1 WHERE t1."id" = $1)

-- the first by an order
t0."id" = (SELECT t1."id" FROM "samples" AS t1 ORDER BY t1."n" DESC, t1."id" LIMIT $1)

-- another occurrence by an alias
EXISTS (SELECT 1 FROM "samples" AS t1 WHERE t1."n" = t0."m")

-- == SQL of one's own

-- a function by its name
"mod"(t0."n", $1) = $2

-- a function of no one operand
"concat"($1::text, t0."n") = $2

-- a piece of SQL
(t0."n" BETWEEN SYMMETRIC $1 AND $2)

-- operands keep together
(2 * (t0."n" + $1)) = $2

