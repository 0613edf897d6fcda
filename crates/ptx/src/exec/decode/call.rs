//! Calls: where each argument and each result goes.

use super::function::Decoder;
use crate::exec::{CallCode, Callee, Kind, Passed, Transfer, external, function_address};
use crate::ir::{Call, CallTarget, FunctionId, Operand, Symbol};

impl Decoder<'_, '_> {
    /// Decodes a call.
    pub(super) fn call(&mut self, call: &Call) -> Result<Kind, String> {
        let code = match &call.target {
            CallTarget::Function(id) => CallCode::Direct(self.callee(call, *id)?),
            CallTarget::Indirect(register, candidates) => {
                let candidates = candidates.iter().map(|id| self.callee(call, *id));
                let candidates = candidates.collect::<Result<_, _>>()?;
                let (address, bytes) = (self.row_of(*register)?, self.register_type(*register)?.bytes());
                CallCode::Indirect { address, bytes, candidates }
            }
            CallTarget::External(id) => {
                let externals = &self.kernel.module.externals;
                let declared = externals.get(id.0 as usize).ok_or("the function is not declared")?;
                let number = external::number(&declared.name).ok_or_else(|| {
                    format!("call of {}, which this machine does not provide", declared.name)
                })?;
                self.external(call, number, declared.parameters.clone(), declared.result)?
            }
        };
        self.kernel.code.calls.push(code);
        Ok(Kind::Call(self.kernel.code.calls.len() as u32 - 1))
    }

    fn callee(&mut self, call: &Call, id: FunctionId) -> Result<Callee, String> {
        let module = self.kernel.module;
        let function = module.functions.get(id.0 as usize).ok_or("the function is not defined")?;
        let number = self.kernel.numbers[id.0 as usize].ok_or("the function is not reached")?;
        let count = |what: &str, given: usize, expected: usize| {
            let name = &function.name;
            if given == expected {
                return Ok(());
            }
            Err(format!("call of {name} with {given} {what}, where it has {expected}"))
        };
        count("arguments", call.arguments.len(), function.parameters.len())?;
        count("results", call.results.len(), function.results.len())?;
        let mut arguments = Vec::new();
        for (position, (operand, parameter)) in call.arguments.iter().zip(&function.parameters).enumerate() {
            let from = self.passed(operand, parameter.bytes)?;
            let to = self.kernel.frames[number as usize].parameters[position];
            arguments.push(Transfer { from, to, bytes: parameter.bytes });
        }
        let mut results = Vec::new();
        for (position, (operand, parameter)) in call.results.iter().zip(&function.results).enumerate() {
            let to = self.passed(operand, parameter.bytes)?;
            let from = self.kernel.frames[number as usize].results[position];
            results.push(Transfer { from, to, bytes: parameter.bytes });
        }
        Ok(Callee { function: number, address: function_address(id), arguments, results })
    }

    fn external(
        &mut self,
        call: &Call,
        number: usize,
        parameters: Vec<u32>,
        result: Option<u32>,
    ) -> Result<CallCode, String> {
        if call.arguments.len() != parameters.len() {
            let (given, expected) = (call.arguments.len(), parameters.len());
            return Err(format!("call with {given} arguments of a function that has {expected}"));
        }
        let mut arguments = Vec::new();
        for (operand, bytes) in call.arguments.iter().zip(parameters) {
            arguments.push((self.passed(operand, bytes)?, bytes));
        }
        let result = match (call.results.first(), result) {
            (Some(operand), Some(bytes)) => Some((self.passed(operand, bytes)?, bytes)),
            _ => None,
        };
        Ok(CallCode::External { number, arguments, result })
    }

    /// Where the caller has an argument or wants a result.
    fn passed(&mut self, operand: &Operand, bytes: u32) -> Result<Passed, String> {
        if let Operand::Symbol(symbol @ Symbol::CallParameter(number), 0) = *operand {
            let declared = self.function.call_parameters.get(number as usize);
            let has = declared.map_or(0, |parameter| parameter.bytes);
            if has < bytes {
                return Err(format!("a parameter of {has} bytes is passed for one of {bytes} bytes"));
            }
            let offset = self.frame_offset(symbol).ok_or("the parameter is not declared")?;
            return Ok(Passed::Frame(offset));
        }
        if bytes > 8 {
            return Err(format!("a parameter of {bytes} bytes is passed in a register"));
        }
        let data = self.data(operand, bytes)?;
        Ok(Passed::Row(data.row, u32::from(data.bytes)))
    }
}
