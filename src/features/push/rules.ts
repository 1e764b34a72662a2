export const pushTopics = ['results', 'failures', 'payments', 'unpaid_orders', 'designer', 'credits'] as const
export type PushTopic = (typeof pushTopics)[number]

/** Topic of each kind; features define the content. */
export const pushKinds = {
  result_ready: 'results',
  run_failed: 'failures',
  payment_arrived: 'payments',
  order_ending: 'unpaid_orders',
  custom_edit_done: 'designer',
  custom_edit_declined: 'designer',
  custom_edit_message: 'designer',
  custom_edit_answer: 'designer',
  custom_edit_rated: 'designer',
  credits_low: 'credits',
  credits_ending: 'credits',
} as const satisfies Record<string, PushTopic>
export type PushKind = keyof typeof pushKinds

/** Per account. */
export const maxDevices = 20
