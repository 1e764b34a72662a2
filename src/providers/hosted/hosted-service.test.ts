import { expect, test } from 'vitest'
import { isContentRefusal, isFlagged } from './hosted-service.ts'

test.each([
  'NSFW content detected. Try running it again, or try a different prompt.',
  'All generated images contained NSFW content. Try running it again with a different prompt.',
  'The input or output was flagged as sensitive. Please try again with different inputs. (E005)',
  'Your request was rejected as a result of our safety system.',
  'Content moderation: the prompt was blocked',
  'This request violates our content policy',
])('%s is a refusal by safety rules', (message) => {
  expect(isContentRefusal(message)).toBe(true)
})

test.each([
  'CUDA out of memory. Tried to allocate 2.00 GiB',
  '- input.safety_tolerance: Must be less than or equal to 6',
  '- input.disable_safety_checker: Invalid type. Expected: boolean, given: string',
  '- input.moderation: Must be one of low, auto',
  'file names are case-sensitive',
  'Invalid token: the account is suspended',
  'Prediction interrupted; please retry (code: PA)',
])('%s is not a refusal by safety rules', (message) => {
  expect(isContentRefusal(message)).toBe(false)
})

test('an error with types is judged by its types only', () => {
  expect(isContentRefusal('the prompt', ['content_policy_violation'])).toBe(true)
  expect(isContentRefusal('safety checker not found', ['value_error.missing'])).toBe(false)
})

test.each([
  [{ images: [{ url: 'a' }], has_nsfw_concepts: [true] }, 'images.0.url', true],
  [{ images: [{ url: 'a' }], has_nsfw_concepts: [false] }, 'images.0.url', false],
  [{ images: [{ url: 'a' }, { url: 'b' }], has_nsfw_concepts: [false, true] }, 'images.0.url', false],
  [{ images: [{ url: 'a' }, { url: 'b' }], has_nsfw_concepts: [false, true] }, 'images.1.url', true],
  [{ image: { url: 'a', nsfw: true } }, 'image.url', true],
  [{ image: { url: 'a' }, nsfw_content_detected: true }, 'image.url', true],
  [{ data: [{ url: 'a', finish_reason: 'content_filter' }] }, 'data.0.url', true],
  [{ image: { url: 'a' }, nsfw: 0.02, safety_checker: true }, 'image.url', false],
  [['https://a.example/nsfw.png'], '', false],
  ['https://a.example/nsfw.png', '', false],
  [null, 'images.0.url', false],
])('of %j the picture at "%s" is flagged: %s', (output, path, expected) => {
  expect(isFlagged(output, path)).toBe(expected)
})
