import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApiDocument } from '#tests/support/api-document.ts'
import { toolContracts } from '#tools/contracts.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { submitted } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
})
afterAll(() => app.stop())

interface Operation {
  requestBody?: {
    content: Record<
      string,
      { schema: { properties: Record<string, { anyOf?: { title: string; properties: object }[] }> } }
    >
  }
  responses: Record<string, { content?: Record<string, { schema: { properties: object; required: string[] } }> }>
}

test('the OpenAPI document shows every route of the generations, and the parameters of every tool', async () => {
  const { paths } = await readApiDocument<Operation>(app.request)
  const routes = [
    'generations',
    'generations/{id}',
    'generations/{id}/cancel',
    'generations/{id}/render',
    'tools',
    'tools/{tool}/check',
    'files/{id}/{name}',
    'events',
    'user/myCredit',
  ]
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(routes.map((route) => `/api/${route}`)))
  const create = paths['/api/generations']?.post as Operation
  const form = create.requestBody?.content['multipart/form-data']?.schema.properties
  const inputs = Object.values(toolContracts).flatMap((tool) => Object.keys(tool.inputs))
  const fields = new Set(['tool', 'params', 'expected_credits', 'image', ...inputs])
  expect(Object.keys(form ?? {})).toEqual([...fields])
  const tools = Object.entries(toolContracts).map(([title, { defaults }]) => {
    return { title: `${title}-params`, properties: Object.fromEntries(Object.keys(defaults).map((name) => [name, {}])) }
  })
  expect(form?.params?.anyOf).toMatchObject(tools)
})

test('responses have exactly the documented fields', async () => {
  const { paths } = await readApiDocument<Operation>(app.request)
  const fields = (path: string, method: string, status: string) =>
    Object.keys(paths[path]?.[method]?.responses[status]?.content?.['application/json']?.schema.properties ?? {}).sort()
  const user = await app.createUser()
  const created = await submitted(user)
  expect(Object.keys(created).sort()).toEqual(fields('/api/generations', 'post', '201'))
  const read = await (await user.request(`/api/generations/${created.id}`)).json()
  expect(Object.keys(read).sort()).toEqual(fields('/api/generations/{id}', 'get', '200'))
  const credit = await (await user.request('/api/user/myCredit')).json()
  expect(Object.keys(credit).sort()).toEqual(fields('/api/user/myCredit', 'get', '200'))
})
