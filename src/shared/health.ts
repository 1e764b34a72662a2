/** Used in /readyz, the dashboard's list, and subjects of notices. */
export const healthNames = [
  'disk',
  'queue',
  'mails',
  'workers',
  'jobs',
  'backup',
  'backup_refused',
  'payments',
  'payment_circuit',
] as const
export type HealthName = (typeof healthNames)[number]
