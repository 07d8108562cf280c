-- One row an order. The primary key is what makes the claim atomic; the check keeps
-- every statement to the three states.
CREATE TABLE order_claims (
    order_key  text        PRIMARY KEY,
    status     text        NOT NULL CHECK (status IN ('pending', 'done', 'review')),
    provider   text        NOT NULL,
    payload    jsonb       NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    closed_at  timestamptz,
    last_error text
);

-- For the sweep: only open rows are in it.
CREATE INDEX order_claims_open ON order_claims (claimed_at) WHERE status = 'pending';
