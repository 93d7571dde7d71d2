-- count(*)
Expr(count(*))

-- of what is not NULL
Expr(count(t0."m"))

-- once each
Expr(count(DISTINCT t0."m"))

-- filtered
Expr(sum(t0."n") FILTER (WHERE t0."yes"))

-- an average of an expression
Expr(avg(t0."n" * $1))

-- the least and the most
Expr(min(t0."word")) Expr(max(t0."m"))

-- deviation
Expr(stddev_samp(t0."n"::float8)) Expr(var_samp(t0."x"::float8))

-- true of all, of some
Expr(bool_and(t0."yes")) Expr(bool_or(t0."maybe"))

-- all values in an order
Expr(array_agg(t0."m" ORDER BY t0."n", t0."id" DESC))

-- texts, once each
Expr(string_agg(DISTINCT t0."word", $1 ORDER BY t0."word"))

-- as JSON
Expr(jsonb_agg(t0."doc"))

-- an aggregate in an expression
Pred(coalesce(sum(t0."n"), $1) > $2)

-- over a window
Expr(sum(t0."n") OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC))

-- a filtered aggregate over a window
Expr(count(*) FILTER (WHERE t0."yes") OVER ())

-- numbered
Expr(row_number() OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(rank() OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(dense_rank() OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC))

-- shares
Expr(percent_rank() OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(cume_dist() OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(ntile($1) OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC))

-- neighbours
Expr(lag(t0."n", $1) OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(lead(t0."n", $1) OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC))

-- a frame of rows
Expr(sum(t0."n") OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC ROWS BETWEEN $1 PRECEDING AND $2 FOLLOWING))

-- a frame of groups
Expr(nth_value(t0."n", $1) OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC GROUPS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))

-- the first and last of a frame
Expr(first_value(t0."n") OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC)) Expr(last_value(t0."n") OVER (PARTITION BY t0."yes", t0."m" ORDER BY t0."n" DESC))

-- times
Expr(now()) Expr(clock_timestamp()) Expr(CURRENT_DATE)

-- rows out of nothing
Expr(generate_series($1, t0."n")) Expr(unnest(t0."nums"))

-- random
Expr(random())

-- a piece of a text
Expr(ts_headline('english'::regconfig, t0."word", phraseto_tsquery('english'::regconfig, $1)))

-- the least of numbers as a constant
Expr('-9223372036854775808'::int8)

-- hostile names of functions
Expr("a""b"."f""(); --"())

-- hostile texts as constants
Expr( E'''; DROP TABLE x; --\\')

-- without a path
Expr(t0."doc" #- $1)

