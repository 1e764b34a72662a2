import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApiDocument } from '#tests/support/api-document.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { description: string; content?: object }>
  requestBody?: { content: Record<string, { example?: object; schema: { examples?: object[] } }> }
}

let app: TestApp
let operations: { route: string; operation: Operation }[]
beforeAll(async () => {
  app = await createTestApp()
  const { paths } = await readApiDocument<Operation>(app.request)
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  )
})
afterAll(() => app.stop())

test('the OpenAPI documents show every route once, and no other', () => {
  const found = app.composition.app.routes
    .filter(({ method, path }) => !['ALL', 'OPTIONS'].includes(method) && path.startsWith('/api/'))
    .map(({ method, path }) => `${method} ${path}`)
  const served = new Set(found)
  for (const route of found) if (route.endsWith('/openapi.json')) served.delete(route)
  expect(operations.map(({ route }) => route).sort()).toEqual([...served].sort())
})

const isForPrograms = (route: string) => route.includes(' /api/v1/')

test('every operation has an id of its own, a summary, one tag and the errors of its guard and input', () => {
  // Programs call the app's own routes below another path.
  const ofApp = operations.filter(({ route }) => !isForPrograms(route))
  const ids = ofApp.map(({ operation }) => operation.operationId ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  const codesOf = ({ responses }: Operation) => JSON.stringify(Object.values(responses).map((one) => one.description))
  for (const { route, operation } of operations) {
    expect(operation.operationId, route).toMatch(/^[a-z][a-zA-Z]+$/)
    expect(operation.summary, route).toMatch(/^[A-Z]/)
    expect(operation.tags, route).toHaveLength(1)
    expect(Object.keys(operation.responses), route).toContain('default')
    const isGuarded = operation.security === undefined
    expect(codesOf(operation).includes('auth.signed_out'), route).toBe(isGuarded && !isForPrograms(route))
    expect(codesOf(operation).includes('api_key.invalid'), route).toBe(isForPrograms(route))
    expect(codesOf(operation).includes('auth.second_factor_due'), route).toBe(route.includes(' /api/admin/'))
    if (operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      expect(codesOf(operation), route).toContain('idempotency.key_missing')
  }
})

test('tools and generations have one schema each, which every route of programs shares', async () => {
  const text = await (await app.request('/api/v1/openapi.json')).text()
  const { components } = JSON.parse(text) as { components: { schemas: Record<string, { required?: string[] }> } }
  const { schemas } = components
  for (const name of [
    'BackgroundRemovalParams',
    'Generation',
    'GenerationCreated',
    'GenerationOutput',
    'InputReference',
  ])
    expect(Object.keys(schemas)).toContain(name)
  expect(schemas.Generation?.required).toContain('outputs')
  const used = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name))
  expect([...used].sort()).toEqual(Object.keys(schemas).sort())
})

test('every JSON body of programs has an example, which is valid', async () => {
  const examples = operations
    .filter(({ route, operation }) => isForPrograms(route) && operation.requestBody?.content['application/json'])
    .map(({ route, operation }) => {
      const { example, schema } = operation.requestBody!.content['application/json']!
      return [route.replace('/api/v1', ''), example ?? schema.examples?.[0]] as const
    })
  // The Model Context Protocol documents its own messages.
  const byRoute = Object.fromEntries(examples.filter(([route]) => route !== 'POST /mcp'))
  expect(Object.entries(byRoute).filter(([, example]) => !example)).toEqual([])
  const json = byRoute['POST /tools/:tool/params'] as object
  expect((await app.request('/api/tools/background-removal/params', { json })).status).toBe(200)
})
