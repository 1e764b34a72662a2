import { encodeTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { JobReport, Provider, TaskRequest } from '#providers/provider.ts'

/** Keeps its jobs in memory. */
export interface FakeProvider extends Provider {
  /** `reference` stands for the request's own. */
  calls: string[]
  answer(report: JobReport | Error): void
  onSubmit: (request: TaskRequest) => Promise<void> | void
}

const size = { width: 8, height: 8 }

/** Valid for any task that returns a picture. */
export async function greyResult(grey: number): Promise<JobReport> {
  const data = new Uint8ClampedArray(4 * size.width * size.height).fill(grey)
  for (let i = 3; i < data.length; i += 4) data[i] = 255
  return { state: 'done', result: await encodeTask({ picture: { ...size, data } }), cost: 0.02 }
}

export function createFakeProvider(
  id: string,
  { tasks = ['inpaint'], finds = true }: { tasks?: readonly TaskName[]; finds?: boolean } = {},
): FakeProvider {
  const jobs = new Map<string, string>()
  let report: JobReport | Error | undefined
  const provider: FakeProvider = {
    id,
    calls: [],
    timeLimit: 3600,
    onSubmit: () => {},
    answer: (given) => {
      report = given
    },
    tasks: async () => tasks,
    isBetter: () => true,
    async submit(request) {
      provider.calls.push(`submit ${request.task}`)
      await provider.onSubmit(request)
      const job = `job-${jobs.size + 1}`
      jobs.set(request.reference, job)
      return job
    },
    async poll({ externalId }) {
      provider.calls.push(`poll ${externalId}`)
      if (report instanceof Error) throw report
      return report ?? greyResult(200)
    },
    async cancel({ externalId }) {
      provider.calls.push(`cancel ${externalId}`)
    },
    health: async () => ({ ok: true, detail: 'fake' }),
  }
  if (finds) {
    provider.find = async ({ reference }) => {
      provider.calls.push('find')
      return jobs.get(reference)
    }
  }
  return provider
}
