import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

interface Operation {
  operationId?: string
  tags?: string[]
  summary?: string
  security?: object[]
  parameters?: { name: string; in: string }[]
  responses: Record<string, { description: string; content?: object }>
}

let app: TestApp
let operations: { route: string; operation: Operation }[]
beforeAll(async () => {
  app = await createTestApp()
  const { paths } = (await (await app.request('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    })),
  )
})
afterAll(() => app.stop())

test('the OpenAPI document shows every route once, and no other', () => {
  const found = app.composition.app.routes
    .filter(({ method, path }) => !['ALL', 'OPTIONS'].includes(method) && path.startsWith('/api/'))
    .map(({ method, path }) => `${method} ${path}`)
  const served = new Set(found)
  served.delete('GET /api/openapi.json')
  expect(operations.map(({ route }) => route).sort()).toEqual([...served].sort())
})

test('every operation has an id of its own, a summary, one tag and the errors of its guard and input', () => {
  const ids = operations.map(({ operation }) => operation.operationId ?? '')
  expect(new Set(ids).size).toBe(ids.length)
  const codesOf = ({ responses }: Operation) => JSON.stringify(Object.values(responses).map((one) => one.description))
  for (const { route, operation } of operations) {
    expect(operation.operationId, route).toMatch(/^[a-z][a-zA-Z]+$/)
    expect(operation.summary, route).toMatch(/^[A-Z]/)
    expect(operation.tags, route).toHaveLength(1)
    expect(Object.keys(operation.responses), route).toContain('default')
    expect(codesOf(operation).includes('auth.signed_out'), route).toBe(operation.security === undefined)
    expect(codesOf(operation).includes('auth.second_factor_due'), route).toBe(route.includes(' /api/admin/'))
    if (operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
      expect(codesOf(operation), route).toContain('idempotency.key_missing')
  }
})
