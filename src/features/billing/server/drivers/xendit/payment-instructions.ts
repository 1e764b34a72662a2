import { type } from '#shared/schema.ts'
import type { PaymentSession } from '../port.ts'

/** Items in a Xendit response that the buyer must see. */
export const presentedActions = type({ descriptor: 'string', 'value?': '1 <= string <= 2000 | null' })
  .array()
  .or('null')

export function paymentInstructions(
  actions: typeof presentedActions.infer | undefined,
): Pick<PaymentSession, 'vaNumber' | 'qrContent'> {
  const shown = (descriptor: string) => actions?.find((action) => action.descriptor === descriptor)?.value
  const vaNumber = shown('VIRTUAL_ACCOUNT_NUMBER')
  const qrContent = shown('QR_STRING')
  return { ...(vaNumber && { vaNumber }), ...(qrContent && { qrContent }) }
}
