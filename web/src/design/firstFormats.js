// Stands behind firstPaint.js in the head of the shop. The first text that is put in order, the first number and
// the first date of a page cost the browser many times what the next do, because it reads its data then: 25 ms
// of a quick processor. That is done while the files are on their way and the processor has nothing to do, each
// in a task of its own, so that a slow one answers the visitor between them.
{
  for (const kind of ["Collator", "NumberFormat", "DateTimeFormat"])
    setTimeout(() => new Intl[kind]());
}
