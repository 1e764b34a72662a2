import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerationCreated } from '#features/generations/schemas.ts'
import { translate } from '#server/i18n.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { malformedVideos } from '../support/malformed-videos.ts'
import { openToolPool } from '../support/run-tool.ts'
import { creditsOf, reached } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, sendBytes } from '../support/upload.ts'

const engine = openToolPool()
let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine })
  user = await app.createUser()
})
afterAll(async () => {
  await app.stop()
  await engine.close()
})

/** The code of the refusal, or of the failed generation. */
async function refusalOf(bytes: Uint8Array<ArrayBuffer>): Promise<{ code: ErrorCode; msg: string }> {
  const begun = await beginUpload(user, bytes.length, 'video.mp4', 'video/mp4')
  const address = begun.headers.get('location') as string
  let response = await sendBytes(user, address, 0, bytes)
  if (response.ok) {
    const json = { tool: 'video-background-removal', inputs: { video: [{ upload: address.split('/').at(-1) }] } }
    const headers = { 'idempotency-key': randomUUID() }
    response = await user.request('/api/generations', { method: 'POST', json, headers })
  }
  if (response.status !== 201) {
    expect(Math.floor(response.status / 100)).toBe(4)
    return (await response.json()) as { code: ErrorCode; msg: string }
  }
  const { id } = (await response.json()) as GenerationCreated
  const { error } = await reached(user, id, 'failed')
  return error as { code: ErrorCode; msg: string }
}

test('more than fifty malformed files are each refused with a message about videos, without a crash, and cost nothing', async () => {
  const files = await malformedVideos()
  expect(files.length).toBeGreaterThan(50)
  const refusals: string[] = []
  for (const { name, bytes } of files) {
    const { code, msg } = await refusalOf(await bytes())
    refusals.push(`${name}: ${code}`)
    expect(msg).toBe(translate('id', `error.${code}`))
    expect(translate('en', `error.${code}`)).not.toBe(msg)
  }
  expect(refusals).toEqual(files.map(({ name, code }) => `${name}: ${code}`))
  expect(await creditsOf(user)).toBe(25)
})
