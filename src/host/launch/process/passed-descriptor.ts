/** Descriptor of a program to start: its number there, and our descriptor that is opened again for it. */
export interface PassedDescriptor {
  readonly as: number
  readonly ours: number
  readonly to: 'read' | 'write'
}
