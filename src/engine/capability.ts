/** What tools ask of the machine beyond plain computing; admins choose who provides it. */
const capabilities = ['personMask', 'faces', 'things', 'inpaint', 'upscale', 'colorize', 'background'] as const
export type Capability = (typeof capabilities)[number]
