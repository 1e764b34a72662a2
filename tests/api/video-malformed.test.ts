import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerationCreated } from '#features/generations/schemas.ts'
import { translate } from '#server/i18n.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { type MalformedVideo, malformedVideos } from '../support/malformed-videos.ts'
import { creditsOf, reached } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, sendBytes } from '../support/upload.ts'

const soak = Boolean(process.env.SOAK)
let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp()
  user = await app.createUser()
})
afterAll(() => app.stop())

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

/** One file of each code, and one that only the decoder finds malformed. */
function oneOfEachCode(files: MalformedVideo[]): MalformedVideo[] {
  const firsts = [...new Map(files.toReversed().map((file) => [file.code, file])).values()]
  return [...firsts, ...files.filter(({ name }) => name === 'an MP4 whose frames are nonsense')]
}

test('malformed files are each refused with a message about videos, without a crash, and cost nothing', async () => {
  const all = await malformedVideos()
  expect(all.length).toBeGreaterThan(50)
  const files = soak ? all : oneOfEachCode(all)
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
