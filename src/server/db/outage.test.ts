import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { DatabaseUnreachable, isDatabaseOutage } from './errors.ts'

const failure = (fields: object, cause?: unknown) => Object.assign(new Error('failed', { cause }), fields)
const refused = failure({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 5432 })

const outages: Record<string, unknown> = {
  'a terminated connection': failure({ code: '57P01' }),
  'a statement beyond its time limit': failure({ code: '57014' }),
  'a write at a standby': failure({ code: '25006' }),
  'a transaction that idled for too long': failure({ code: '25P03' }),
  'a query after a lost connection': new Error('Client has encountered a connection error and is not queryable'),
  'a query after a closed connection': new Error('Client was closed and is not queryable'),
  'a connection that takes too long': new Error('timeout expired'),
  'a refused connection of the pool': new DatabaseUnreachable(refused),
  'refused connections to several hosts': new DatabaseUnreachable(new AggregateError([refused])),
  'a query whose connection was reset': new DrizzleQueryError('select 1', [], failure({ code: 'ECONNRESET' })),
  'a lost connection as the cause of a cause': failure(
    {},
    failure({}, new Error('Connection terminated unexpectedly')),
  ),
  'what the job queue kept of an error': { message: 'Connection terminated' },
}
test.each(Object.entries(outages))('%s is an outage of the database', (_, error) => {
  expect(isDatabaseOutage(error)).toBe(true)
})

const others: Record<string, unknown> = {
  'a refused connection to something else': refused,
  'a taken key': failure({ code: '23505' }),
  'a failure caused by another service': failure({}, refused),
  'a wrong query': new DrizzleQueryError('select 1', [], failure({ code: '42P01' })),
  nothing: undefined,
}
test.each(Object.entries(others))('%s is not an outage of the database', (_, error) => {
  expect(isDatabaseOutage(error)).toBe(false)
})
