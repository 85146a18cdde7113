# Tags a bash without a sandbox, before it reads its script, and leaves no trace of it but the tag. Bash finds this
# file as BASH_ENV on descriptor 3. CORDON_TASK is the tag; CORDON_BASH_ENV is what BASH_ENV was meant to be.
ulimit -SR "$CORDON_TASK"; exec 3<&-
if [[ -v CORDON_BASH_ENV ]]; then
  export BASH_ENV=$CORDON_BASH_ENV; unset CORDON_BASH_ENV
  # shellcheck disable=SC1090 # The file is the person's own.
  [[ -r $BASH_ENV ]] && . "$BASH_ENV"
else
  unset BASH_ENV
fi
