import 'fake-indexeddb/auto'
import { expect, test } from 'vitest'
import { draftFiles, saveDraft, takeDraft } from './draft.ts'

test('pictures saved while the tool looks for a draft are taken, once', async () => {
  const looking = takeDraft('background-removal')
  const files = draftFiles([new File(['x'], 'buka.png')])
  await Promise.all([looking, saveDraft({ tool: 'background-removal', files })])
  const later = await takeDraft('background-removal')
  expect([await looking, later].map((draft) => draft?.files.length ?? 0).sort()).toEqual([0, 1])
})
