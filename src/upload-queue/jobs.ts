import type { JobKind, UploadItem } from './item.ts'
import type { ServerResponse } from './transport.ts'

export type FileRefs = Record<string, unknown>

interface JobEndpoint {
  url: (item: UploadItem) => string
  body: (item: UploadItem, files: FileRefs) => unknown
  /** Id of the created or changed object; undefined without one. */
  resultId: (response: ServerResponse, item: UploadItem) => string | undefined
  cancelUrl?: (resultId: string) => string
}

function createdId({ status, body }: ServerResponse): string | undefined {
  if (status !== 200 && status !== 201) return undefined
  const { id } = (body ?? {}) as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}

const endpoints: Record<JobKind, JobEndpoint> = {
  generation: {
    url: () => '/api/generations',
    body: ({ tool, params, price }, inputs) => ({ tool, params, inputs, expected_credits: price }),
    resultId: createdId,
    cancelUrl: (id) => `/api/generations/${id}/cancel`,
  },
  custom_edit: {
    url: () => '/api/custom_edits',
    body: ({ params }, files) => ({ ...params, ...files }),
    resultId: createdId,
    cancelUrl: (id) => `/api/custom_edits/${id}/cancel`,
  },
  custom_edit_results: {
    url: ({ params }) => `/api/admin/custom_edits/${params.request}/results`,
    body: (_, files) => files,
    resultId: ({ status }, { params }) => (status === 204 ? String(params.request) : undefined),
  },
}

export const endpointOf = ({ kind }: UploadItem): JobEndpoint => endpoints[kind]
