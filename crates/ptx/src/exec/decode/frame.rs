//! The frame of a function in local memory: its parameters and results, its local variables, and the
//! parameters of the calls that it prepares.

use crate::exec::{Passed, Row};
use crate::ir::{
    Function, FunctionId, Module, Parameter, ParameterPlace, RegisterId, StateSpace, VariableId,
};

/// Frames start at multiples of this.
pub(super) const FRAME_ALIGNMENT: u32 = 16;

/// Rows that registers were given, in the file of up to 32 bits and in that of 64.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowCounts {
    pub(super) narrow: u32,
    pub(super) wide: u32,
}

impl RowCounts {
    /// The row of a register of so many bytes.
    pub(super) fn take(&mut self, bytes: u32) -> Row {
        let count = if bytes > 4 { &mut self.wide } else { &mut self.narrow };
        *count += 1;
        Row(*count - 1)
    }
}

/// Where things are in the frame of one function, and the rows of the registers that pass values.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// Where the parameters are; a kernel's are elsewhere.
    pub(super) parameters: Vec<Passed>,
    /// Where the results are.
    pub(super) results: Vec<Passed>,
    /// Offsets of the parameters of calls.
    pub(super) call_parameters: Vec<u32>,
    /// Offsets of its local variables, in the order of their numbers in the module.
    variables: Vec<(VariableId, u32)>,
    /// Rows of registers that were given one already.
    pub(super) rows: Vec<(RegisterId, Row)>,
    /// Rows given so far.
    pub(super) row_counts: RowCounts,
    /// Size of the frame.
    pub(super) bytes: u32,
}

impl Frame {
    /// Lays out the frame of a function; `own` are its variables, and for the one that is launched also those of the
    /// module.
    pub(super) fn new(module: &Module, id: FunctionId, own: &[VariableId]) -> Frame {
        let function = &module.functions[id.0 as usize];
        let mut frame = Frame {
            parameters: Vec::new(),
            results: Vec::new(),
            call_parameters: Vec::new(),
            variables: Vec::new(),
            rows: Vec::new(),
            row_counts: RowCounts::default(),
            bytes: 0,
        };
        if !function.is_kernel {
            frame.parameters = frame.passed(function, &function.parameters);
            frame.results = frame.passed(function, &function.results);
        }
        let calls = function.call_parameters.iter();
        frame.call_parameters =
            calls.map(|parameter| frame.place(u64::from(parameter.bytes), parameter.alignment)).collect();
        for &id in own {
            let variable = &module.variables[id.0 as usize];
            if variable.space == StateSpace::Local {
                let offset = frame.place(variable.bytes, variable.alignment);
                frame.variables.push((id, offset));
            }
        }
        frame.bytes = frame.bytes.checked_next_multiple_of(FRAME_ALIGNMENT).unwrap_or(u32::MAX);
        frame
    }

    /// The offset of a local variable, if it is in this frame.
    pub(super) fn variable(&self, id: VariableId) -> Option<u32> {
        let found = self.variables.binary_search_by_key(&id.0, |(id, _)| id.0);
        found.ok().map(|position| self.variables[position].1)
    }

    /// Takes room. Too much of it saturates, and is refused when the function is called.
    fn place(&mut self, bytes: u64, alignment: u32) -> u32 {
        let start = self.bytes.checked_next_multiple_of(alignment.max(1)).unwrap_or(u32::MAX);
        self.bytes = start.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
        start
    }

    fn passed(&mut self, function: &Function, parameters: &[Parameter]) -> Vec<Passed> {
        let mut place = |parameter: &Parameter| match parameter.place {
            ParameterPlace::Memory(_) => {
                Passed::Frame(self.place(u64::from(parameter.bytes), parameter.alignment))
            }
            ParameterPlace::Register(register) => {
                let ty = function.registers.get(register.0 as usize).map(|register| register.ty);
                let bytes = ty.map_or(4, |ty| ty.bytes());
                let row = self.row_counts.take(bytes);
                self.rows.push((register, row));
                Passed::Row(row, bytes)
            }
        };
        parameters.iter().map(&mut place).collect()
    }
}
