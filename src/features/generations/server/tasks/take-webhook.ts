import { bodyLimit } from 'hono/body-limit'
import { validate as isUuid } from 'uuid'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { handleJobNotification } from './provider-jobs.ts'

/** A webhook contains the provider's whole job, with pictures as addresses. */
export const webhookLimit = bodyLimit({
  maxSize: 1_000_000,
  onError: () => {
    throw appError('upload.too_large')
  },
})

/**
 * Only the signature is trusted: the generation then polls the service itself. A forged or outdated
 * webhook changes nothing.
 */
export async function takeWebhook(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'jobs' | 'providers'>,
  { provider, reference, headers, body }: { provider: string; reference: string; headers: Headers; body: Uint8Array },
): Promise<void> {
  const known = deps.providers.find(({ id }) => id === provider)
  if (!known?.readWebhook) throw appError('request.not_found')
  const change = await known.readWebhook({ headers, body }).catch(() => undefined)
  if (!change || !isUuid(reference)) throw appError('auth.forbidden')
  await handleJobNotification(deps, known, { ...change, reference })
}
