import type { Span } from '../../model/basics/span.js'
import type { Invocation } from '../../model/run/facts.js'
import { PASSES_ON } from './over-broad.js'

const covers = (outer: Span, inner: Span): boolean => outer[0] <= inner[0] && outer[1] >= inner[1]
const lengthOf = ([from, to]: Span): number => to - from

/** Returns the parts with the smallest span around a position: a command and the commands run through it. */
function partsAt(position: Span, parts: readonly Invocation[]): readonly Invocation[] {
  let closest: Invocation[] = []
  for (const part of parts) {
    if (part.implied || !covers(part.span, position)) continue
    const [known] = closest
    if (known === undefined || lengthOf(part.span) < lengthOf(known.span)) closest = [part]
    else if (lengthOf(part.span) === lengthOf(known.span)) closest.push(part)
  }
  return closest
}

const passesOn = ({ program }: Invocation): boolean => program !== null && PASSES_ON.has(program)

function outermost(parts: readonly Invocation[]): Invocation | undefined {
  const [first, ...rest] = parts
  return first && rest.reduce((outer, part) => (part.via.length < outer.via.length ? part : outer), first)
}

/**
 * Returns the part whose code is at a position: the outermost there that is not only a wrapper. In `docker run image
 * ls` the code belongs to docker.
 */
export function ownerAt(position: Span, parts: readonly Invocation[]): Invocation | undefined {
  const there = partsAt(position, parts)
  return outermost(there.filter((part) => !passesOn(part))) ?? outermost(there)
}

/** Returns the owner of the code at a position and its wrappers. An allow rule for one of them allows the code. */
export function ownersAt(position: Span, parts: readonly Invocation[]): readonly Invocation[] {
  const owner = ownerAt(position, parts)
  return owner ? partsAt(position, parts).filter(({ via }) => via.length <= owner.via.length) : []
}
