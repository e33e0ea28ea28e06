-- Reconciliation also reports payments that the provider has and Souk does not know, for example after a backup was
-- restored.
-- compatible: reconciliation_differences.reconciliation_differences_difference_check: it allows one more value
alter table reconciliation_differences drop constraint reconciliation_differences_difference_check;
alter table reconciliation_differences add check (
  difference in ('notBooked', 'notThere', 'amount', 'refunded', 'unanswered', 'lost'));
