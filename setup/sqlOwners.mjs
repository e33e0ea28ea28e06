// The owner of each table of apps/server/schema.sql: a wing of the domain, the kernel or the worker. setup/sqlLaw.mjs
// judges by it who may write a table.
const listed = (names) => names.trim().split(/\s+/)

/** The tables of each owner. */
export const tables = {
  operations: listed('sandbox_clock sandbox_clock_moves'),
  money: listed(`
    all_trades callback_attempts callback_attempts_default callback_attempts_first callback_receivers callback_replays
    callbacks callbacks_default callbacks_first ledger_balances ledger_changes ledger_entries ledger_progress
    out_trade_nos payment_attempts provider_accounts reconciliation_differences reconciliations refunds routing_rules sandbox_callback_faults
    sandbox_payments shadow_answers trade_changes trade_events trade_events_default trade_events_first trade_progress trade_sums trades
    trades_default`),
  miniApps: listed(`
    activities alert_rules alerts analytics_cohorts analytics_counts analytics_days analytics_error_users
    analytics_errors analytics_events analytics_events_default analytics_progress analytics_trades analytics_user_days
    analytics_users app_secrets app_testers apps bound_signs canaries canary_users custom_events dataset_batches
    dataset_records datasets error_recordings feedback files funnels host_function_grants host_functions inbox inspection_messages
    inspections merchants message_counts message_levels notifications opened_trades release_content_parts
    release_contents release_files release_review_events release_reviews release_source_maps releases request_log
    request_log_default request_log_first sandbox_cards signing_keys used_signs`),
  console: listed(`
    account_passkeys account_recovery_codes account_sessions account_tokens account_totp accounts api_keys blocks
    change_requests email_confirmations invitations password_resets project_members projects service_accounts
    setup_tokens sign_in_failures sign_on_providers used_challenges`),
  users: listed(`
    consents host_refresh_tokens host_sessions issuer_clients issuers login_codes open_ids revoked_tokens union_ids
    used_token_ids user_attributes user_scopes users`),
  messages: listed('delivery_receivers event_attempts event_deliveries event_endpoints event_secrets events mails'),
  installation: listed(`
    archives audit_chain audit_log installation key_ring_processes last_backup last_restore_check limit_counts master_keys
    platform_settings stored_objects unreadable_values`),
  kernel: listed('migrations versions write_probes'),
  worker: listed('worker_heartbeats worker_periods'),
}

/** The owner of each table by its name. */
export const ownerOf = new Map(Object.entries(tables).flatMap(([owner, names]) => names.map((name) => [name, owner])))
