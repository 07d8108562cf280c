-- One row an order. The primary key is what makes INSERT IGNORE a claim.
CREATE TABLE order_claims (
    order_key  VARCHAR(190) NOT NULL PRIMARY KEY,
    status     ENUM('pending', 'done', 'review') NOT NULL,
    claimed_at DATETIME     NOT NULL,
    closed_at  DATETIME     NULL,
    last_error TEXT         NULL,
    KEY order_claims_open (status, claimed_at)
);
