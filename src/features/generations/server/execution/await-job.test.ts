import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Deps } from '#server/deps.ts'
import { awaitJob } from './await-job.ts'

test('a wait aborted while its job is being sent ends with the reason', async () => {
  const sent = Promise.withResolvers<boolean>()
  const deps = { jobs: { send: () => sent.promise }, notifier: { subscribe: () => () => {} } }
  const cut = new AbortController()
  const job = { jobId: 'a' } as Parameters<typeof awaitJob<'check-photos'>>[2]
  const waited = awaitJob(deps as unknown as Pick<Deps, 'jobs' | 'notifier'>, 'check-photos', job, 60, cut.signal)
  const ended = expect(waited).rejects.toThrow('cancelled')
  cut.abort(new Error('cancelled'))
  // An unhandled rejection would end the process here.
  await turn()
  sent.resolve(true)
  await ended
})

test('a wait for a job that ended before the listener was attached ends with the job', async () => {
  const answers = [undefined, { error: null }]
  const jobs = { send: () => Promise.resolve(false), outputOf: () => Promise.resolve(answers.shift()) }
  const deps = { jobs, notifier: { subscribe: () => () => {} } }
  const job = { jobId: 'a' } as Parameters<typeof awaitJob<'check-photos'>>[2]
  await awaitJob(deps as unknown as Pick<Deps, 'jobs' | 'notifier'>, 'check-photos', job, 3600)
  expect(answers).toEqual([])
})
