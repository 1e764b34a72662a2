import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { consentVersions } from '#shared/consent.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { toolContracts } from '#tools/contracts.ts'
import { makeClip } from '../support/clips.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { creditsOf, makePicture, reached, type Submission, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
})
beforeEach(async () => {
  user = await app.createUser()
  await user.request('/api/user/consents', { json: { kind: 'biometric', version: consentVersions.biometric } })
})
afterAll(() => app.stop())

async function runOf(tool: AnyTool): Promise<Submission> {
  const [first = '', ...others] = Object.keys(tool.inputs)
  const filesFor = (name: string) =>
    Promise.all(Array.from({ length: tool.inputs[name]?.min ?? 0 }, () => makePicture()))
  const image =
    tool.inputs[first]?.kind === 'video'
      ? [(await makeClip({ width: 96, height: 96, seconds: 1, frameRate: 5, empty: true })).bytes]
      : await filesFor(first)
  const files = Object.fromEntries(await Promise.all(others.map(async (name) => [name, await filesFor(name)] as const)))
  const strokes = [{ mode: 'keep', shape: 'line', size: 4, points: [5, 5, 9, 9] }]
  const params = tool.id === 'swap-face' ? { consent: true } : tool.id === 'object-removal' ? { strokes } : {}
  return { tool: tool.id, image, files, params }
}

test.each((Object.values(toolContracts) as AnyTool[]).filter(({ needs, defaults }) => !needs?.(defaults).length))(
  '$id: a free rendering changes no paid part',
  {
    timeout: 300_000,
  },
  async (tool) => {
    const { id } = await submitted(user, await runOf(tool))
    await reached(user, id, 'succeeded')
    const before = await creditsOf(user)
    const known = Object.keys(tool.defaults as object)
    for (const name of known.filter((param) => !tool.renderParams.includes(param))) {
      const response = await user.request(`/api/generations/${id}/render`, { json: { params: { [name]: 'another' } } })
      const { code, details } = (await response.json()) as { code: string; details: Record<string, string> }
      expect([name, code, details?.[name]]).toEqual([name, 'params.invalid', 'fixed'])
    }
    for (const input of Object.keys(tool.inputs).filter((name) => !tool.renderInputs?.includes(name))) {
      const body = new FormData()
      body.set('params', '{}')
      body.set(input, new Blob([await makePicture('#00ff00')]), 'lain.png')
      const response = await user.request(`/api/generations/${id}/render`, { method: 'POST', body })
      expect([input, response.status]).toEqual([input, 422])
    }
    expect((await user.request(`/api/generations/${id}/render`, { json: { params: {} } })).status).toBe(200)
    expect(await creditsOf(user)).toBe(before)
  },
)
