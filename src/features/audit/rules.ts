/** Kinds of events in the security log. */
export const securityEventKinds = [
  'sign_in',
  'sign_in_failed',
  'role_refused',
  'staff_action',
  'password_changed',
  'password_reset',
  'email_change_requested',
  'email_changed',
  'proof_failed',
  'second_factor_on',
  'second_factor_off',
  'passkey_added',
  'passkey_removed',
  'factor_removal_requested',
  'factor_removal_cancelled',
  'factors_removed',
  'sessions_ended',
  'data_exported',
  'account_read',
  'staff_export',
] as const
export type SecurityEventKind = (typeof securityEventKinds)[number]
