import { expect, test } from 'vitest'
import { acceptsRequest, fillWorkflow, type Workflow } from './workflows.ts'

const file = (label: string) => {
  return { label, contentType: 'image/png', extension: 'png', bytes: new Uint8Array(), width: 8, height: 8 }
}
const slot = (name: Workflow['slots'][number]['name'], node: string, input = 'image') => ({ name, node, input })

test('a workflow for a picture of the wanted place gets it, and only requests that have one', () => {
  const workflow: Workflow = {
    id: 'comfyui:background/place',
    task: 'background',
    graph: {
      1: { class_type: 'LoadImage', inputs: { image: '' } },
      2: { class_type: 'LoadImage', inputs: { image: '' } },
      3: { class_type: 'SaveImage', inputs: { filename_prefix: '' } },
    },
    slots: [slot('picture', '1'), slot('reference', '2')],
    result: '3',
    maxArea: undefined,
  }
  expect(acceptsRequest(workflow, { files: [file('picture')], data: {} })).toBe(false)
  expect(acceptsRequest(workflow, { files: [file('picture'), file('reference')], data: {} })).toBe(true)
  const pictures = { picture: 'a.png', reference: 'b.png' }
  expect(fillWorkflow(workflow, { pictures, data: {} }, 'x')).toMatchObject({
    1: { inputs: { image: 'a.png' } },
    2: { inputs: { image: 'b.png' } },
  })
})
