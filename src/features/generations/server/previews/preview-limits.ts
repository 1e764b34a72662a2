import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getSignedCookie, setSignedCookie } from 'hono/cookie'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import type { WarningCode } from '#tools/contract/tool.ts'

const cookieName = 'visitor'
const [hourSeconds, daySeconds] = [3600, 86_400]

/** Forms read within an hour, whatever they contain. */
const forms = { address: 300, network: 1200 } as const
/**
 * Previews of a device in a day, and of an address (many users share one behind a carrier's NAT)
 * and its network in an hour. Devices can be invented, so new ones are limited by address. Each
 * newly chosen picture starts a preview.
 */
const previews = { device: 30, newDevices: 60, address: 120, network: 360 } as const

/**
 * Queues are fair by network, so that many previews of one network hardly delay others. A preview
 * passes the file check, then the engine.
 */
export const previewQueues = {
  fileCheck: createFairQueue({ concurrency: 1, waiting: 100, waitingEach: 8, seconds: 30, groupOf: widerNetwork }),
  engine: createFairQueue({ concurrency: 2, waiting: 60, waitingEach: 4, seconds: 30, groupOf: widerNetwork }),
}

/** Counts a form before it is read. */
export async function limitForms(deps: Pick<Deps, 'db' | 'clock' | 'config'>, address: string): Promise<void> {
  await limitRate(deps, [
    { rule: 'preview-form:ip', subject: address, limit: forms.address, seconds: hourSeconds },
    { rule: 'preview-form:network', subject: widerNetwork(address), limit: forms.network, seconds: hourSeconds },
  ])
}

/** The limit that affects fewer users is counted first. */
export async function limitPreviews(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { address, device }: { address: string; device: string | undefined },
): Promise<void> {
  await limitRate(deps, [
    device === undefined
      ? { rule: 'preview:new-device', subject: address, limit: previews.newDevices, seconds: hourSeconds }
      : { rule: 'preview:device', subject: device, limit: previews.device, seconds: daySeconds },
    { rule: 'preview:ip', subject: address, limit: previews.address, seconds: hourSeconds },
    { rule: 'preview:network', subject: widerNetwork(address), limit: previews.network, seconds: hourSeconds },
  ])
}

/** The random id identifies no user. */
export async function knownDevice(
  c: Context,
  { jwtSecret, publicUrl }: Pick<Config, 'jwtSecret' | 'publicUrl'>,
): Promise<string | undefined> {
  return (await getSignedCookie(c, jwtSecret as BufferSource, cookieName, prefixOf(publicUrl))) || undefined
}

/** The cookie expires after a day. */
export async function setDeviceCookie(
  c: Context,
  { jwtSecret, publicUrl }: Pick<Config, 'jwtSecret' | 'publicUrl'>,
): Promise<void> {
  const number = randomBytes(16).toString('base64url')
  await setSignedCookie(c, cookieName, number, jwtSecret as BufferSource, {
    path: '/api/tools',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.protocol === 'https:',
    prefix: prefixOf(publicUrl),
    maxAge: daySeconds,
  })
}

const prefixOf = ({ protocol }: URL) => (protocol === 'https:' ? 'secure' : undefined)

export interface MadePreview {
  outputs: { label: string; contentType: string; width: number; height: number }[]
  warnings: WarningCode[]
  seconds: number
  /** Reason why the compared provider failed; there are no outputs then. */
  failed?: string
}

export const previewKeys = {
  folder: (id: string) => `previews/${id}/`,
  input: (id: string, index: number) => `previews/${id}/input-${index}`,
  output: (id: string, index: number) => `previews/${id}/output-${index}`,
  done: (id: string, index: number) => `previews/${id}/done-${index}`,
  made: (id: string) => `previews/${id}/made`,
}
